import {useRouter} from '@tanstack/react-router'

import {useWriteRefusal} from '../api/active.tsx'
import {Button} from '../ui/Button.tsx'
import {t} from './text.ts'

interface HashLinksProps {
	sha256: string
	size?: 'small' | 'medium'
}

/** Links a hash to the lists that hold it, and to the dialog that adds it to one. */
export function HashLinks({sha256, size = 'medium'}: HashLinksProps) {
	const {history} = useRouter()
	const lock = useWriteRefusal()
	const path = `/file-lists/hash/${sha256}`
	return (
		<>
			<Button size={size} onPress={() => history.push(path)}>
				{t.listsHash}
			</Button>
			<Button size={size} onPress={() => history.push(`${path}?act=block`)} lock={lock} opens>
				{t.blockThisHash}
			</Button>
		</>
	)
}
