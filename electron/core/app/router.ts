/** Implements the contract. Procedures parse and decide nothing: they call the responsible part. */
import type {Router} from '@orpc/server'

import type {Contract} from '#shared/contract/contract.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {approvalProcedures} from './procedures/approvals.ts'
import {commandProcedures} from './procedures/commands.ts'
import {computerProcedures, eventViewProcedures, viewProcedures} from './procedures/computers.ts'
import {connectionProcedures} from './procedures/connections.ts'
import {directoryProcedures} from './procedures/directory.ts'
import {doorProcedures} from './procedures/doors.ts'
import {editorProcedures} from './procedures/editor.ts'
import {eventProcedures} from './procedures/events.ts'
import {codeProcedures, guardProcedures, leaseProcedures} from './procedures/guards.ts'
import {instanceProcedures} from './procedures/instances.ts'
import {isolationProcedures} from './procedures/isolation.ts'
import {localProcedures} from './procedures/local.ts'
import {logProcedures} from './procedures/log.ts'
import {detectionProcedures} from './procedures/detections.ts'
import {overviewProcedures} from './procedures/overview.ts'
import {jobProcedures} from './procedures/jobs.ts'
import {automationProcedures, playbookProcedures} from './procedures/playbooks.ts'
import {undoProcedures} from './procedures/undo.ts'
import {type CallContext, implementContract, type RouterDependencies} from './procedures/dependencies.ts'
import {streamProcedures, targetProcedures} from './procedures/streams.ts'
import {searchProcedures} from './procedures/search.ts'
import {trajectoryProcedures, vulnerabilityProcedures} from './procedures/trajectory.ts'

/** Named, because the inferred type is too long for the compiler. */
export type AppRouter = Router<Contract, CallContext>

export function createRouter(deps: RouterDependencies): AppRouter {
	const os = implementContract(deps.programLog)
	const {settings} = deps.profile
	return os.router({
		app: {info: os.app.info.handler(() => deps.info()), live: os.app.live.handler(({signal}) => deps.live.subscribe(signal))},
		settings: {
			get: os.settings.get.handler(() => settings.get()),
			set: os.settings.set.handler(({input}) => settings.set(omitUndefined(input))),
			managed: os.settings.managed.handler(() => deps.profile.managed.view()),
		},
		connections: connectionProcedures(os, deps),
		computers: computerProcedures(os, deps),
		views: viewProcedures(os, deps),
		eventViews: eventViewProcedures(os, deps),
		groups: {list: os.groups.list.handler(({input}) => deps.inventories.open(input.connection).groups())},
		isolation: isolationProcedures(os, deps),
		commands: commandProcedures(os, deps),
		log: logProcedures(os, deps),
		jobs: jobProcedures(os, deps),
		undo: undoProcedures(os, deps),
		playbooks: playbookProcedures(os, deps),
		automation: automationProcedures(os, deps),
		streams: streamProcedures(os, deps),
		targets: targetProcedures(os, deps),
		doors: doorProcedures(os, deps),
		approvals: approvalProcedures(os, deps),
		guards: guardProcedures(os, deps),
		leases: leaseProcedures(os, deps),
		codes: codeProcedures(os, deps),
		...overviewProcedures(os, deps),
		detections: detectionProcedures(os, deps),
		instances: instanceProcedures(os, deps),
		events: eventProcedures(os, deps),
		directory: directoryProcedures(os, deps),
		editor: editorProcedures(os, deps),
		trajectory: trajectoryProcedures(os, deps),
		local: localProcedures(os, deps),
		search: searchProcedures(os, deps),
		vulnerabilities: vulnerabilityProcedures(os, deps),
	})
}
