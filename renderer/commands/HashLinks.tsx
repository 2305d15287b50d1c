import {useRouter} from '@tanstack/react-router'

import {useWriteRefusal} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {t} from './text.ts'

/** Links a hash to the lists that hold it, and to the dialog that adds it to one. */
export function HashLinks({sha256, small = false}: {sha256: string; small?: boolean}) {
	const {history} = useRouter()
	const lock = useWriteRefusal()
	const path = `/file-lists/hash/${sha256}`
	return (
		<>
			<Button small={small} onPress={() => history.push(path)}>
				{t.listsHash}
			</Button>
			<Button small={small} onPress={() => history.push(`${path}?act=block`)} lock={lock} opens>
				{t.blockThisHash}
			</Button>
		</>
	)
}
