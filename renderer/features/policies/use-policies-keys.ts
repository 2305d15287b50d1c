import {useConnected} from '#api/hooks.tsx'
import {asCordonError} from '#api/errors.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {useCopy} from '#ui/Button.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
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

/** Keyboard shortcuts of the policies screen. */
export function usePoliciesKeys(keys: PoliciesKeys): void {
	const announce = useAnnounce()
	const {client, connection} = useConnected()
	const onPolicy = (what: (guid: string) => void) => () => {
		const guid = keys.policy()
		if (guid === undefined) announce('Move to a policy first')
		else what(guid)
	}
	const copy = useCopy()
	const readDetails = async () => {
		const [group, policy] = [keys.group(), keys.policy()]
		try {
			if (group !== undefined) await client.directory.groups.refreshOne({connection, guid: group})
			else if (policy !== undefined) await client.directory.policies.refreshOne({connection, guid: policy})
			else return announce('Move to a row first')
			announce('Details loaded')
		} catch (error) {
			announce(`Could not load the details: ${asCordonError(error).message}`)
		}
	}
	useKey('list.filter', keys.focusSearch)
	useKey('policies.refresh', keys.focusRefresh)
	useKey('policies.export', keys.exportRows)
	useKey('policies.view1', () => keys.view('list'))
	useKey('policies.view2', () => keys.view('groups'))
	useKey('policies.view3', () => keys.view('lists'))
	useKey('policies.diff', keys.compare)
	useKey('policies.details', () => void readDetails())
	useKey(
		'policies.groups',
		onPolicy(guid => keys.open(guid, 'used')),
	)
	useKey(
		'policies.lists',
		onPolicy(guid => keys.open(guid, 'lists')),
	)
	useKey(
		'policies.xml',
		onPolicy(guid => keys.open(guid, 'xml')),
	)
	useKey(
		'policies.copy',
		onPolicy(guid => copy('GUID', guid)),
	)
}
