import {useWriteRefusal} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import type {BulkKind} from '#state/ui.tsx'

export const bulkActions = [
	{kind: 'isolate', words: 'Isolate…', keys: 'i'},
	{kind: 'release', words: 'Release…', keys: 'u'},
	{kind: 'move', words: 'Move…', keys: 'm'}
] as const satisfies readonly {kind: BulkKind; words: string; keys: string}[]

/** Jobs on the frozen list. Each opens a dialog that shows its plan before anything is sent. Their keys are about a list in view. */
export function BulkActions({isInView, onOpen}: {isInView: boolean; onOpen: (kind: BulkKind) => void}) {
	const lock = useWriteRefusal()
	return (
		<>
			{bulkActions.map(({kind, words, keys}) => (
				<Button
					key={kind}
					small
					onPress={() => onOpen(kind)}
					opens
					{...(lock !== null && {tooltip: `${lock} A plan can be made and saved.`})}
					{...(isInView && {keys})}
				>
					{words}
				</Button>
			))}
		</>
	)
}
