/** Implements the contract. Procedures parse and decide nothing: they call the responsible part. */
import type {Router} from '@orpc/server'

import type {Contract} from '#contract/contract.ts'
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
import {type CallContext, implementContract, type Procedures, type RouterDependencies} from './procedures/dependencies.ts'
import {streamProcedures, targetProcedures} from './procedures/streams.ts'
import {searchProcedures} from './procedures/search.ts'
import {trajectoryProcedures, vulnerabilityProcedures} from './procedures/trajectory.ts'

/** Named, because the inferred type is too long for the compiler. */
export type AppRouter = Router<Contract, CallContext>

export function createRouter(deps: RouterDependencies) {
	const {settings} = deps.profile
	const procedures: Procedures = {
		app: {info: () => deps.info(), live: ({signal}) => deps.live.subscribe(signal), shows: ({input}) => deps.shows(input.connection)},
		settings: {get: () => settings.get(), set: ({input}) => settings.set(omitUndefined(input)), managed: () => deps.profile.managed.view()},
		connections: connectionProcedures(deps),
		computers: computerProcedures(deps),
		views: viewProcedures(deps),
		eventViews: eventViewProcedures(deps),
		groups: {list: ({input}) => deps.inventories.open(input.connection).groups()},
		isolation: isolationProcedures(deps),
		commands: commandProcedures(deps),
		log: logProcedures(deps),
		jobs: jobProcedures(deps),
		undo: undoProcedures(deps),
		playbooks: playbookProcedures(deps),
		automation: automationProcedures(deps),
		streams: streamProcedures(deps),
		targets: targetProcedures(deps),
		doors: doorProcedures(deps),
		approvals: approvalProcedures(deps),
		guards: guardProcedures(deps),
		leases: leaseProcedures(deps),
		codes: codeProcedures(deps),
		...overviewProcedures(deps),
		detections: detectionProcedures(deps),
		instances: instanceProcedures(deps),
		events: eventProcedures(deps),
		directory: directoryProcedures(deps),
		editor: editorProcedures(deps),
		trajectory: trajectoryProcedures(deps),
		local: localProcedures(deps),
		search: searchProcedures(deps),
		vulnerabilities: vulnerabilityProcedures(deps)
	}
	// Of the same shape.
	return carriedOut(implementContract(deps.programLog), procedures) as AppRouter
}

function carriedOut(routes: object, handlers: object): object {
	return Object.fromEntries(
		Object.entries(handlers).map(([name, handler]) => {
			const route = Reflect.get(routes, name)
			return [name, typeof handler === 'function' ? route.handler(handler) : carriedOut(route, handler)]
		})
	)
}
