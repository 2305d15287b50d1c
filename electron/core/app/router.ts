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
import {implementContract, type RouterParts} from './procedures/parts.ts'
import {streamProcedures, targetProcedures} from './procedures/streams.ts'
import {searchProcedures} from './procedures/search.ts'
import {trajectoryProcedures, vulnerabilityProcedures} from './procedures/trajectory.ts'

/** Named, because the inferred type is too long for the compiler. */
export type AppRouter = Router<Contract, Record<never, never>>

export function createRouter(parts: RouterParts): AppRouter {
	const os = implementContract(parts.programLog)
	const {settings} = parts.profile
	return os.router({
		app: {info: os.app.info.handler(() => parts.info()), live: os.app.live.handler(({signal}) => parts.live.subscribe(signal))},
		settings: {
			get: os.settings.get.handler(() => settings.get()),
			set: os.settings.set.handler(({input}) => settings.set(omitUndefined(input))),
			managed: os.settings.managed.handler(() => parts.profile.managed.view()),
		},
		connections: connectionProcedures(os, parts),
		computers: computerProcedures(os, parts),
		views: viewProcedures(os, parts),
		eventViews: eventViewProcedures(os, parts),
		groups: {list: os.groups.list.handler(({input}) => parts.inventories.open(input.connection).groups())},
		isolation: isolationProcedures(os, parts),
		commands: commandProcedures(os, parts),
		log: logProcedures(os, parts),
		jobs: jobProcedures(os, parts),
		undo: undoProcedures(os, parts),
		playbooks: playbookProcedures(os, parts),
		automation: automationProcedures(os, parts),
		streams: streamProcedures(os, parts),
		targets: targetProcedures(os, parts),
		doors: doorProcedures(os, parts),
		approvals: approvalProcedures(os, parts),
		guards: guardProcedures(os, parts),
		leases: leaseProcedures(os, parts),
		codes: codeProcedures(os, parts),
		...overviewProcedures(os, parts),
		detections: detectionProcedures(os, parts),
		instances: instanceProcedures(os, parts),
		events: eventProcedures(os, parts),
		directory: directoryProcedures(os, parts),
		editor: editorProcedures(os, parts),
		trajectory: trajectoryProcedures(os, parts),
		local: localProcedures(os, parts),
		search: searchProcedures(os, parts),
		vulnerabilities: vulnerabilityProcedures(os, parts),
	})
}
