import {useState} from 'react'

import {managedSentence} from '#model/managed.ts'

import {useManaged, useSetSettings, useSettings} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {linesOf} from '#ui/form.ts'
import {t} from '../text.ts'
import styles from './guard.module.css'
import type {AgreementFields} from './use-agreement.ts'

interface ReasonFieldProps {
	fields: AgreementFields
	description: string
	/** The focus starts here. */
	isFirst?: boolean
}

/** A reason where the service takes no comment, or already has one. */
export function ReasonField({fields, description, isFirst = false}: ReasonFieldProps) {
	return (
		<TextArea
			label={t.reason}
			value={fields.reason}
			onChange={fields.setReason}
			isRequired
			autoFocus={isFirst}
			rows={2}
			maxLength={255}
			error={fields.problems.reason}
			description={description}
		/>
	)
}

const reasonsOf = {isolate: 'isolateReasons', release: 'releaseReasons'} as const

/** Reason and ticket. The focus starts here, and Enter makes a new line: it never confirms. */
export function ReasonFields({fields, kind}: {fields: AgreementFields; kind: 'isolate' | 'release'}) {
	const [editing, setEditing] = useState(false)
	const settings = useSettings()
	const name = reasonsOf[kind]
	const isHeld = useManaged().settings.includes(name)
	return (
		<>
			<ReasonField fields={fields} description={t.keptIncident} isFirst />
			<div className={styles.templates} role="group" aria-label={t.textTemplates}>
				{settings[name].map(template => (
					<Button key={template} small onPress={() => fields.setReason(template)}>
						{template}
					</Button>
				))}
				<Button small tone="quiet" onPress={() => setEditing(true)} lock={isHeld ? `${managedSentence}.` : null} opens>
					{t.editThese}
				</Button>
			</div>
			<TextField label={t.ticket} value={fields.ticket} onChange={fields.setTicket} maxLength={60} autoComplete="off" placeholder={t.inc1234} />
			{editing && <EditTemplates kind={kind} onClose={() => setEditing(false)} />}
		</>
	)
}

function EditTemplates({kind, onClose}: {kind: 'isolate' | 'release'; onClose: () => void}) {
	const name = reasonsOf[kind]
	const set = useSetSettings()
	const [text, setText] = useState(useSettings()[name].join('\n'))
	const save = () => {
		set({[name]: [...new Set(linesOf(text))].slice(0, 20)})
		onClose()
	}
	return (
		<Dialog title={kind === 'isolate' ? t.reasonsIsolation : t.reasonsRelease} size="small" cancel onClose={onClose} act={[t.save, save]}>
			<TextArea label={t.textTemplates} value={text} onChange={setText} rows={8} autoFocus description={t.onePerLine} />
		</Dialog>
	)
}
