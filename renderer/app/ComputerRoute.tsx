import {ComputerScreen} from '../features/computer/ComputerScreen.tsx'
import {TrajectoryTab} from '../features/trajectory/TrajectoryTab.tsx'

/** A computer with what several features know of it. */
export function ComputerRoute() {
	return <ComputerScreen Trajectory={TrajectoryTab} />
}
