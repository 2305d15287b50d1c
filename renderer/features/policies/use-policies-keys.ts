import {useConnected} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {useCopy} from '#ui/Button.tsx'
import {useAtCursor, useKeys} from '#ui/keys/KeyRegistry.tsx'
import type {PolicyView} from './search.ts'

interface PoliciesKeys {
	focusSearch(): void
	focusRefresh(): void
	exportRows(): void
	view(view: PolicyView): void
	/** GUID of the policy at the cursor; `undefined` when rows are groups. */
	policy(): string | undefined
	/** GUID of the group at the cursor, when rows are groups. */
	group(): string | undefined
	open(guid: string, tab?: 'used' | 'lists' | 'xml'): void
	compare(): void
}

export function usePoliciesKeys(keys: PoliciesKeys) {
	const announce = useAnnounce()
	const {client, connection} = useConnected()
	const onPolicy = useAtCursor(keys.policy, () => 'Go to a policy first')
	const copy = useCopy()
	const readDetails = async () => {
		const [group, policy] = [keys.group(), keys.policy()]
		try {
			if (group !== undefined) await client.directory.groups.refreshOne({connection, guid: group})
			else if (policy !== undefined) await client.directory.policies.refreshOne({connection, guid: policy})
			else return announce('Go to a row first')
			announce('Details loaded')
		} catch (error) {
			announce(`Could not load the details: ${asCordonError(error).message}`)
		}
	}
	useKeys({
		'list.filter': keys.focusSearch,
		'policies.refresh': keys.focusRefresh,
		'policies.export': keys.exportRows,
		'policies.view1': () => keys.view('list'),
		'policies.view2': () => keys.view('groups'),
		'policies.view3': () => keys.view('lists'),
		'policies.diff': keys.compare,
		'policies.details': () => void readDetails(),
		'policies.groups': onPolicy(guid => keys.open(guid, 'used')),
		'policies.lists': onPolicy(guid => keys.open(guid, 'lists')),
		'policies.xml': onPolicy(guid => keys.open(guid, 'xml')),
		'policies.copy': onPolicy(guid => copy('GUID', guid))
	})
}
