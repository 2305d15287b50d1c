/** A family is loaded when one of its commands first runs, so that the command line starts faster. */
import {familyOf, type CommandName, type Family} from '#shared/commands/catalogue.ts'

import type {FamilyHandlers, Handler} from './types.ts'

const families: {[F in Family]: () => Promise<FamilyHandlers<F>>} = {
	computers: async () => (await import('./computers.ts')).computerHandlers,
	events: async () => (await import('./events.ts')).eventHandlers,
	fileLists: async () => (await import('./file-lists.ts')).fileListHandlers,
	groups: async () => (await import('./groups.ts')).groupHandlers,
	policies: async () => (await import('./policies.ts')).policyHandlers,
	service: async () => (await import('./service.ts')).serviceHandlers,
	isolation: async () => (await import('./isolation.ts')).isolationHandlers
}

export async function handlerOf(name: CommandName) {
	const family = await families[familyOf(name)]()
	// The family has a handler for each of its names, and this is one of them.
	return (family as Readonly<Record<string, unknown>>)[name] as Handler<CommandName>
}
