import {ChoiceDialog} from '#ui/ChoiceDialog.tsx'
import {useCopy} from '#ui/Button.tsx'
import {t} from './text.ts'

interface Form {
	id: string
	title: string
	text: string
}

interface CopyDialogProps {
	title: string
	forms: readonly Form[]
	onClose: () => void
}

export function CopyDialog({title, forms, onClose}: CopyDialogProps) {
	const copy = useCopy()
	const choose = (id: string) => {
		const form = forms.find(each => each.id === id)
		if (form !== undefined) copy(form.title, form.text)
	}
	return (
		<ChoiceDialog
			title={title}
			label={t.forms}
			details="code"
			choices={forms.map(form => ({id: form.id, title: form.title, detail: form.text}))}
			onChoose={choose}
			onClose={onClose}
		/>
	)
}
