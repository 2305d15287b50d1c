import {useMutation} from '@tanstack/react-query'
import {useEffect, useRef, useState, type ReactNode} from 'react'

import type {TextFile} from '#model/text-file.ts'

import {useAnnounce} from '#ui/Announcer.tsx'
import {Banner} from '#ui/States.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {saveText} from '#ui/save.ts'
import {RadioGroup, type RadioOption} from '#ui/Field.tsx'
import {Failure} from './Failure.tsx'
import {t} from './text.ts'

export const csvFormat = {value: 'csv', label: 'CSV', detail: 'for a spreadsheet; cells cannot act as formulas'} as const

interface ExportFrameProps<Format extends string, File extends TextFile> {
	title: string
	formats: readonly [RadioOption<Format>, ...RadioOption<Format>[]]
	write: (format: Format, signal: AbortSignal) => File | Promise<File>
	/** What the file lacks, in a sentence: the dialog stays open to show it. */
	lacks?: (file: File) => string | null
	children: ReactNode
	hint?: ReactNode
	onClose: () => void
}

/** Saves all matching rows as a file, not only those in view. */
export function ExportFrame<Format extends string, File extends TextFile>(props: ExportFrameProps<Format, File>) {
	const {title, formats, write, lacks = () => null, children, hint, onClose} = props
	const announce = useAnnounce()
	const [format, setFormat] = useState(formats[0].value)
	const stop = useRef<AbortController>(null)
	// Whoever leaves gets no file.
	useEffect(() => () => stop.current?.abort(), [])
	const {mutate, data, isPending, error} = useMutation({
		mutationFn: async () => await write(format, (stop.current = new AbortController()).signal),
		onSuccess: file => {
			saveText(file)
			announce(`Saving ${file.name}`)
			if (lacks(file) === null) onClose()
		}
	})
	const lacking = data === undefined ? null : lacks(data)
	return (
		<Dialog
			title={title}
			size="small"
			onClose={onClose}
			cancel={lacking === null ? true : t.close}
			act={[t.export, () => mutate(), isPending ? t.saving : null]}
		>
			{children}
			<RadioGroup label={t.format} value={format} onChange={setFormat} options={formats} />
			{hint}
			{lacking !== null && <Banner tone="warning">{lacking}</Banner>}
			<Failure error={error} />
		</Dialog>
	)
}
