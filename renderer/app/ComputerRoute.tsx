import {ComputerScreen} from '../features/computer/ComputerScreen.tsx'
import {TrajectoryTab} from '../features/trajectory/TrajectoryTab.tsx'

export function ComputerRoute() {
	return <ComputerScreen Trajectory={TrajectoryTab} />
}
