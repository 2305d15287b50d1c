import {RunTaken} from '#core/engine/ends.ts'
import {checkPlaybook, readPlaybook} from '#core/playbooks/validate.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function playbookProcedures({playbooks, stopping}: RouterDependencies): Procedures['playbooks'] {
	const once = (run: ReturnType<typeof playbooks.start>) =>
		run.catch(async (error: unknown) => {
			if (!(error instanceof RunTaken)) throw error
			return await playbooks.head(error.run)
		})
	return {
		list: () => playbooks.list(),
		get: ({input}) => playbooks.show(input.playbook, input.version),
		check: ({input}) => checkPlaybook(readPlaybook(input.text)),
		import: ({input}) => playbooks.add(input.text),
		export: ({input}) => playbooks.file(input.playbook, input.version),
		tag: ({input}) => playbooks.tag(input.playbook, input.tags),
		remove: ({input}) => playbooks.remove(input.playbook),
		start: ({input}) => once(playbooks.start(input)),
		dryRun: ({input, signal = stopping}) => playbooks.dryRun(input, AbortSignal.any([signal, stopping])),
		draft: ({input}) => playbooks.draft(input.entries),
		runs: ({input}) => playbooks.runs(input),
		run: ({input}) => playbooks.run(input.run),
		progress: ({input}) => playbooks.progress(input.run),
		steps: ({input}) => playbooks.steps(input),
		pinned: ({input}) => playbooks.pinned(input.run),
		entries: ({input}) => playbooks.entries(input.run, input.step),
		exportRun: ({input}) => playbooks.exportRun(input.run),
		pause: ({input}) => playbooks.pause(input.run),
		resume: ({input}) => playbooks.resume(input.run),
		cancel: ({input}) => playbooks.cancel(input.run),
		retry: ({input}) => playbooks.retry(input.run, input.step),
		skip: ({input}) => playbooks.skip(input.run, input.step, input.reason),
		again: ({input}) => once(playbooks.again(input.run, input.newest, input.key)),
		answer: ({input}) => playbooks.answer(input.run, input.step, input.answer, input.reason)
	}
}

export function automationProcedures({automations, playbookSecrets}: RouterDependencies): Procedures['automation'] {
	return {
		list: () => automations.list(),
		save: ({input: {before, ...one}}) => automations.save(one, 'screen', before),
		enable: ({input}) => automations.enable(input.id, input.enabled, 'screen'),
		remove: ({input}) => automations.remove(input.id, 'screen'),
		firings: ({input}) => automations.firings(input.id, input.limit),
		test: ({input}) => automations.test(input.rule, input.days),
		secrets: () => playbookSecrets.list(),
		setSecret: ({input}) => playbookSecrets.set(input, 'screen'),
		removeSecret: ({input}) => playbookSecrets.remove(input.name, 'screen'),
		times: ({input}) => automations.times(input)
	}
}
