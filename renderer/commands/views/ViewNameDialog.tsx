import {useMutation} from '@tanstack/react-query'
import {useState, type ReactNode} from 'react'

import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField} from '#ui/Field.tsx'
import {Failure} from '../Failure.tsx'
import {t} from '../text.ts'

interface ViewNameDialogProps {
	name: string
	names: readonly string[]
	description?: string
	children?: ReactNode
	onSave: (name: string) => Promise<unknown>
	/** `null` while the view is not saved. */
	onRemove: (() => Promise<unknown>) | null
	onClose: () => void
}

/** Names a new or saved view; names are unique in a list. Stays open when that failed. */
export function ViewNameDialog(props: ViewNameDialogProps) {
	const {names, description, children, onSave, onRemove, onClose} = props
	const [name, setName] = useState(props.name)
	const {mutate: act, error, isPending} = useMutation({mutationFn: (work: () => Promise<unknown>) => work(), onSuccess: onClose})
	const taken = names.some(each => each.toLowerCase() === name.trim().toLowerCase())
	const problem = name.trim() === '' ? 'Give it a name.' : taken ? 'Another view has this name.' : null
	const save = () => {
		if (problem === null && !isPending) act(() => onSave(name.trim()))
	}
	return (
		<Dialog
			title={onRemove === null ? t.saveView : t.viewOf(props.name)}
			size="small"
			onClose={onClose}
			footer={
				<>
					{onRemove !== null && (
						<Button tone="danger" onPress={() => act(onRemove)}>
							{t.deleteTheView}
						</Button>
					)}
					<Button onPress={onClose}>{t.cancel}</Button>
					<Button tone="primary" onPress={save} reason={problem}>
						{t.save}
					</Button>
				</>
			}
		>
			<div className="stack">
				<Failure error={error} />
				<TextField
					label={t.name}
					value={name}
					onChange={setName}
					maxLength={60}
					autoFocus
					error={taken ? problem : null}
					description={description}
					onKeyDown={({key}) => {
						if (key === 'Enter') save()
					}}
				/>
				{children}
			</div>
		</Dialog>
	)
}
