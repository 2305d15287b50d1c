import type {JobPlan} from '#model/job.ts'
import {actWords} from '#text/acts.ts'

import {ChangeFrame} from '../change/ChangeFrame.tsx'
import {JobLink, PlanStep, SavePlan, SendPlan} from './PlanStep.tsx'
import {usePlanFlow} from './use-plan-flow.ts'

interface PlanDialogProps {
	plan: JobPlan
	origin: string
	onClose: () => void
}

export function PlanDialog({plan, origin, onClose}: PlanDialogProps) {
	const flow = usePlanFlow(plan)
	const {action, targets} = flow.plan ?? plan
	return (
		<ChangeFrame
			title={actWords(action.kind, targets.length)}
			size="large"
			role="alertdialog"
			onClose={onClose}
			cancelsFirst
			isDone={flow.job !== null}
			before={<JobLink flow={flow} />}
			price={<SavePlan flow={flow} />}
			confirm={<SendPlan flow={flow} />}
		>
			{flow.job === null && <p>{origin}</p>}
			<PlanStep flow={flow} />
		</ChangeFrame>
	)
}
