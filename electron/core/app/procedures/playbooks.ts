import {checkPlaybook, readPlaybook} from '#core/playbooks/validate.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function playbookProcedures(os: Implementer, {playbooks, stopping}: RouterDependencies) {
	const routes = os.playbooks
	return {
		list: routes.list.handler(() => playbooks.list()),
		get: routes.get.handler(({input}) => playbooks.show(input.playbook, input.version)),
		check: routes.check.handler(({input}) => checkPlaybook(readPlaybook(input.text))),
		import: routes.import.handler(({input}) => playbooks.add(input.text)),
		export: routes.export.handler(({input}) => playbooks.file(input.playbook, input.version)),
		tag: routes.tag.handler(({input}) => playbooks.tag(input.playbook, input.tags)),
		remove: routes.remove.handler(({input}) => playbooks.remove(input.playbook)),
		start: routes.start.handler(({input}) => playbooks.start(input)),
		dryRun: routes.dryRun.handler(({input, signal = stopping}) => playbooks.dryRun(input, AbortSignal.any([signal, stopping]))),
		draft: routes.draft.handler(({input}) => playbooks.draft(input.entries)),
		runs: routes.runs.handler(({input}) => playbooks.runs(input)),
		run: routes.run.handler(({input}) => playbooks.run(input.run)),
		pinned: routes.pinned.handler(({input}) => playbooks.pinned(input.run)),
		entries: routes.entries.handler(({input}) => playbooks.entries(input.run, input.step)),
		exportRun: routes.exportRun.handler(({input}) => playbooks.exportRun(input.run)),
		pause: routes.pause.handler(({input}) => playbooks.pause(input.run)),
		resume: routes.resume.handler(({input}) => playbooks.resume(input.run)),
		cancel: routes.cancel.handler(({input}) => playbooks.cancel(input.run)),
		retry: routes.retry.handler(({input}) => playbooks.retry(input.run, input.step)),
		skip: routes.skip.handler(({input}) => playbooks.skip(input.run, input.step, input.reason)),
		again: routes.again.handler(({input}) => playbooks.again(input.run, input.newest)),
		answer: routes.answer.handler(({input}) => playbooks.answer(input.run, input.step, input.answer, input.reason)),
	}
}

export function automationProcedures(os: Implementer, {automations, playbookSecrets}: RouterDependencies) {
	const routes = os.automation
	return {
		list: routes.list.handler(() => automations.list()),
		save: routes.save.handler(({input}) => automations.save(input, 'screen')),
		remove: routes.remove.handler(({input}) => automations.remove(input.id, 'screen')),
		firings: routes.firings.handler(({input}) => automations.firings(input.id, input.limit)),
		test: routes.test.handler(({input}) => automations.test(input.rule, input.days)),
		secrets: routes.secrets.handler(() => playbookSecrets.list()),
		setSecret: routes.setSecret.handler(({input}) => playbookSecrets.set(input, 'screen')),
		removeSecret: routes.removeSecret.handler(({input}) => playbookSecrets.remove(input.name, 'screen')),
		times: routes.times.handler(({input}) => automations.times(input)),
	}
}
