/** Carries out approved changes: commands by the runner, plans by the job engine; and wakes waiting runs. */
import {changeExecutor, sentChange} from '#core/actions/commands/approving.ts'
import {hasCode} from '#contract/errors.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import {approvalSignal, type Approvals, type Executor} from '#core/approvals/approvals.ts'
import type {Engine} from '#core/engine/engine.ts'
import type {ApprovedRequest} from '#core/work/jobs/approve.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import type {JobSummary} from '#model/job.ts'
import type {Jobs} from '#core/work/jobs/jobs.ts'

interface Hands {
	log: Pick<IncidentLog, 'matching'>
	runner: Pick<Runner, 'run'>
	jobs: Pick<Jobs, 'apply' | 'get'>
	runs: Pick<Engine, 'get' | 'signal' | 'signals'>
}

export function carryOutApproved(approvals: Approvals, {log, runner, jobs, runs}: Hands) {
	approvals.carryOutWith('change', changeExecutor(runner), approval => sentChange(log, approval))
	const told = ({title, id}: JobSummary) => `${title}: started as job ${id}.`
	const started = async (id: string) => {
		try {
			return ['used', told((await jobs.get(id)).summary)] as const
		} catch (error) {
			if (hasCode(error, 'unknown_job')) return undefined
			throw error
		}
	}
	const apply: Executor = async ({id, surface}, _content, request) => {
		const {confirm, incident, undoes} = request as ApprovedRequest
		const asked = {plan: id, surface, incident, confirm: confirm ?? undefined, undoes: undoes ?? undefined}
		// Applied already where no approval was needed any more.
		return (await started(id))?.[1] ?? told(await jobs.apply(asked))
	}
	approvals.carryOutWith('plan', apply, ({id}) => started(id))
	approvals.wakeWith(async (run, approval) => {
		const name = approvalSignal(approval)
		// The sweep repeats it while the run is paused or interrupted.
		const isTold = (await runs.signals(run)).some(one => one.name === name)
		if (!isTold && (await runs.get(run))?.endedAt === null) await runs.signal(run, name)
	})
}
