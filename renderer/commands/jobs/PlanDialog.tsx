import type {JobPlan} from '#shared/model/job.ts'

import {Button} from '../../ui/Button.tsx'
import {Dialog} from '../../ui/Dialog.tsx'
import {Link} from '../../ui/Link.tsx'
import {actWords} from './job-words.ts'
import {PlanButtons, PlanStep} from './PlanStep.tsx'
import {t} from './text.ts'
import {usePlanFlow} from './use-plan-flow.ts'

interface PlanDialogProps {
	plan: JobPlan
	/** The plan's origin, in a sentence. */
	origin: string
	onClose: () => void
}

export function PlanDialog({plan, origin, onClose}: PlanDialogProps) {
	const flow = usePlanFlow(plan)
	const {action, targets} = flow.plan ?? plan
	return (
		<Dialog
			title={actWords(action.kind, targets.length)}
			size="large"
			tone="connection"
			role="alertdialog"
			onClose={onClose}
			footer={
				<>
					{flow.job === null ? null : <Link href={`/jobs/${flow.job}`}>{t.openTheJob}</Link>}
					<Button autoFocus onPress={onClose}>
						{flow.job === null ? t.cancel : t.close}
					</Button>
					<PlanButtons flow={flow} />
				</>
			}
		>
			{flow.job === null ? <p>{origin}</p> : null}
			<PlanStep flow={flow} />
		</Dialog>
	)
}
