/** Carries out approved changes: commands by the runner, plans by the job engine; and wakes waiting runs. */
import {changeExecutor} from '#core/actions/commands/approving.ts'
import type {Runner} from '#core/actions/commands/types.ts'
import {approvalSignal, type Approvals} from '#core/approvals/approvals.ts'
import type {Engine} from '#core/engine/types.ts'
import type {ApprovedRequest} from '#core/work/jobs/approve.ts'
import type {Jobs} from '#core/work/jobs/types.ts'

interface Hands {
	readonly runner: Pick<Runner, 'run'>
	readonly jobs: Pick<Jobs, 'apply' | 'get'>
	readonly runs: Pick<Engine, 'get' | 'signal' | 'signals'>
}

export function carryOutApproved(approvals: Approvals, {runner, jobs, runs}: Hands): void {
	approvals.carryOutWith('change', changeExecutor(runner))
	approvals.carryOutWith('plan', async ({id, surface}, _content, request) => {
		const {confirm, incident, undoes} = request as ApprovedRequest
		// Applied already where no approval was needed any more.
		const known = await jobs.get(id).catch(() => {})
		const asked = {plan: id, surface, incident, confirm: confirm ?? undefined, undoes: undoes ?? undefined}
		const {title} = known?.summary ?? (await jobs.apply(asked))
		return `${title}: started as job ${id}.`
	})
	approvals.wakeWith(async (run, approval) => {
		const name = approvalSignal(approval)
		// The sweep repeats it while the run is paused or interrupted.
		const isTold = (await runs.signals(run)).some(one => one.name === name)
		if (!isTold && (await runs.get(run))?.endedAt === null) await runs.signal(run, name)
	})
}
