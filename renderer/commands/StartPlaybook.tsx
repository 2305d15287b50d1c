import {useNavigate} from '@tanstack/react-router'

import {Button} from '../ui/Button.tsx'
import {useKey} from '../ui/keys/KeyRegistry.tsx'
import {t} from './text.ts'

interface StartPlaybookProps {
	readonly computers?: readonly string[]
	readonly sha256?: string | null
	readonly size?: 'small' | 'medium'
}

const none: readonly string[] = []

/** An address holds no more. */
const most = 500

/** Links to the playbooks that accept what is shown or selected here. */
export function StartPlaybook({computers = none, sha256 = null, size = 'medium'}: StartPlaybookProps) {
	const navigate = useNavigate()
	const reason = computers.length > most ? t.tooManyForPlaybook(most) : null
	const go = (): void => {
		const of = computers.length === 1 ? {computer: computers[0]} : {computers: computers.join(',')}
		if (reason === null)
			void navigate({to: '/playbooks', search: {...(computers.length > 0 && of), ...(sha256 !== null && {sha256})}})
	}
	useKey('list.playbook', go)
	return (
		<Button size={size} onPress={go} reason={reason}>
			{t.startPlaybookFor}
		</Button>
	)
}
