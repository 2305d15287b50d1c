import type {CommandName} from '#shared/commands/catalogue.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import type {Connection} from '#model/connection.ts'

import {loudTitle} from '#ui/connection-words.ts'

type Known = CommandSpec & {name: CommandName}

/** The act in words, and its consequence in whole sentences. */
export function effectOf(spec: Known, target: string) {
	switch (spec.name) {
		case 'svc_put_computers_isolation':
			return {
				act: `Isolate ${target}`,
				sentence: `Cuts ${target} off the network, except for the service and what its policy allows. It is isolated once its agent answers.`
			}
		case 'svc_delete_computers_isolation':
			return {act: `Release ${target}`, sentence: `Ends the isolation of ${target}. It is back on the network once its agent answers.`}
		case 'svc_move_computer':
			return {act: `Move ${target}`, sentence: `Moves ${target} to the other group. Its policy changes with its next policy sync.`}
		case 'svc_set_group_policy':
			return {
				act: `Set the policies of ${target}`,
				sentence: `Assigns policies to ${target}. Every computer of the group picks them up with its next policy sync.`
			}
		case 'svc_set_file_list_files_by_sha':
			return {
				act: `Add ${target}`,
				sentence: `Adds the hash to the list. Computers whose policy uses the list pick it up with their next policy sync.`
			}
		case 'svc_delete_file_list_files_by_sha':
			return {
				act: `Remove ${target}`,
				sentence: `Removes the hash from the list. Computers whose policy uses the list pick that up with their next policy sync.`
			}
		default:
			return {act: spec.title, sentence: spec.summary}
	}
}

/** `Isolate FIN-LT-0231 in ACME-EU PRODUCTION`. */
export function buttonWords(act: string, connection: Connection): string {
	return `${act} in ${loudTitle(connection)}`
}

export function targetArgument(spec: CommandSpec): string | null {
	return spec.positional ?? Object.keys(spec.args)[0] ?? null
}

/** A long id, shortened for a button: `3091e2ab…6ec6fd51`. */
export function shortId(id: string): string {
	return id.length > 40 ? `${id.slice(0, 8)}…${id.slice(-8)}` : id
}
