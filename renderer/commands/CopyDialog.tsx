import {useAnnounce} from '../ui/Announcer.tsx'
import {ChoiceDialog} from '../ui/ChoiceDialog.tsx'
import {writeClipboard} from '../ui/CopyButton.tsx'
import {t} from './text.ts'

interface Form {
	readonly id: string
	readonly title: string
	readonly text: string
}

interface CopyDialogProps {
	readonly title: string
	readonly forms: readonly Form[]
	readonly onClose: () => void
}

export function CopyDialog({title, forms, onClose}: CopyDialogProps) {
	const announce = useAnnounce()
	const copy = async (id: string) => {
		const form = forms.find(each => each.id === id)
		if (form === undefined) return
		const done = await writeClipboard(form.text)
		announce(done ? `${form.title} copied` : `The ${form.title} could not be copied`)
	}
	return (
		<ChoiceDialog
			title={title}
			label={t.forms}
			details="code"
			choices={forms.map(form => ({id: form.id, title: form.title, detail: form.text}))}
			onChoose={id => void copy(id)}
			onClose={onClose}
		/>
	)
}
