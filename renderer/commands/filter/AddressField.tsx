import {TextField, type TextFieldProps} from '#ui/Field.tsx'
import {useTypedText} from './use-late-address.ts'

interface AddressFieldProps extends Pick<TextFieldProps, 'label' | 'hideLabel' | 'placeholder' | 'inputRef' | 'className'> {
	/** As the address has it: `undefined` when empty. */
	value: string | undefined
	onChange: (text: string | undefined) => void
	/** On Enter, or on Escape in an empty box. */
	onLeave?: () => void
}

/** A search whose text the address keeps, after a pause: a new one redraws the screen. */
export function AddressField({value = '', onChange, onLeave, ...props}: AddressFieldProps) {
	const {text, set, settle} = useTypedText(value, next => onChange(next === '' ? undefined : next))
	const leave: TextFieldProps['onKeyDown'] = event => {
		if (event.key !== 'Enter' && event.key !== 'Escape') return
		event.preventDefault()
		if (event.key === 'Escape' && text !== '') settle('')
		else onLeave?.()
	}
	return (
		<TextField {...props} type="search" value={text} onChange={set} onBlur={() => settle()} {...(onLeave !== undefined && {onKeyDown: leave})} />
	)
}
