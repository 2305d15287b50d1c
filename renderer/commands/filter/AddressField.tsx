import {TextField, type TextFieldProps} from '../../ui/Field.tsx'
import {useTypedText} from './use-late-address.ts'

/** A search whose text the address keeps. */
export function AddressField({value, onChange, ...props}: TextFieldProps) {
	const {text, settle} = useTypedText(value, onChange)
	return <TextField {...props} type="search" value={text} onChange={settle} />
}
