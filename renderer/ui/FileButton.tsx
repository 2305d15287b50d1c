import {useRef} from 'react'

import {Button, type ButtonProps} from './Button.tsx'

interface FileButtonProps extends Pick<ButtonProps, 'children' | 'small' | 'autoFocus'> {
	/** Name of the field behind it. */
	label: string
	accept?: string
	onFile: (file: File) => void
}

/** Asks for a file; the same one can be chosen again, once it was mended. */
export function FileButton({label, accept, onFile, ...button}: FileButtonProps) {
	const picker = useRef<HTMLInputElement>(null)
	return (
		<>
			<Button {...button} onPress={() => picker.current?.click()} />
			<input
				ref={picker}
				type="file"
				accept={accept}
				hidden
				aria-label={label}
				onChange={event => {
					const [file] = event.target.files ?? []
					event.target.value = ''
					if (file !== undefined) onFile(file)
				}}
			/>
		</>
	)
}
