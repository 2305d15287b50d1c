import type {ListOperation} from '#model/list-draft.ts'
import {RadioGroup} from '#ui/Field.tsx'
import {t} from './text.ts'

const options = [
	{value: 'add', label: '+ Add to the list'},
	{value: 'remove', label: '− Remove from the list'}
] as const

/** Whether hashes are added or removed. */
export function OperationField(props: {value: ListOperation; onChange: (operation: ListOperation) => void}) {
	return <RadioGroup {...props} label={t.whatDoThem} orientation="horizontal" options={options} />
}
