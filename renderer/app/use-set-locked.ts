import {useMutation} from '@tanstack/react-query'

import type {CordonError} from '#contract/errors.ts'

import {useActiveConnectionOrNull, useApi} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'

export function useSetLocked(): {set(locked: boolean, then?: () => void): void; isPending: boolean; error: CordonError | null} {
	const connection = useActiveConnectionOrNull()
	const announce = useAnnounce()
	const {queries} = useApi()
	const change = useMutation(queries.connections.setLocked.mutationOptions())
	return {
		set(locked, then) {
			if (connection === null) return
			const onSuccess = () => {
				announce(locked ? `Writing is locked on ${connection.name}` : `Writing is possible again on ${connection.name}`)
				then?.()
			}
			change.mutate({connection: connection.id, locked}, {onSuccess, onError: error => announce(error.message)})
		},
		isPending: change.isPending,
		error: change.error
	}
}
