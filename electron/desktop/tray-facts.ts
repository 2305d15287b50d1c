import type {App} from '#core/app/app.ts'
import {needsAction} from '#model/notice.ts'

import type {OpenWork} from './leave.ts'
import type {TrayFacts} from './menu-items.ts'

/** How things stand, for the tray: from what lies here, without a call. */
export async function trayFactsOf(app: Pick<App, 'connections' | 'settings' | 'frame' | 'instances' | 'notices'>): Promise<TrayFacts> {
	const wanted = app.settings.get().activeConnection
	const listed = app.connections.list()
	const connection = listed.find(({id}) => id === wanted) ?? listed[0]
	const {server, rows} = await app.instances.list()
	const frame = connection === undefined ? undefined : app.frame(connection.id)
	return {
		server: server.state,
		exposed: rows.filter(({exposure}) => exposure.exposed).length,
		pending: (frame?.counts.pendingStart ?? 0) + (frame?.counts.pendingStop ?? 0),
		tooLong: frame?.counts.pendingTooLong ?? 0,
		jobs: {running: frame?.jobs.running ?? 0, interrupted: frame?.jobs.interrupted ?? 0},
		notices: app.notices.list().filter(needsAction).length,
		connection: connection?.name ?? null,
		isLocked: frame?.mode.kind === 'read_only'
	}
}

/** Of all connections; a sandbox ends with its leases. What cannot be read keeps nobody. */
export function openWorkOf({connections, frame, deps}: Pick<App, 'connections' | 'frame' | 'deps'>): OpenWork {
	const all = connections.list()
	const jobs = all.reduce((sum, {id}) => sum + (frame(id)?.jobs.running ?? 0), 0)
	try {
		const leases = all.flatMap(({id, sandbox}) => (sandbox ? [] : deps.profile.escrow.leases.list(id)))
		return {jobs, releases: leases.filter(({auto}) => auto).length}
	} catch {
		return {jobs, releases: 0}
	}
}
