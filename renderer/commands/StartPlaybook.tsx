import {useNavigate} from '@tanstack/react-router'

import {useAnnounce} from '#ui/Announcer.tsx'
import {type Act, Button} from '#ui/Button.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {t} from './text.ts'

interface StartPlaybookProps {
	computers?: readonly string[]
	sha256?: string | null
	small?: boolean
}

const none: readonly string[] = []

/** An address holds no more. */
const most = 500

/** Leads to the playbooks that accept these computers and this hash. */
export function usePlaybookAct(): (of: Pick<StartPlaybookProps, 'computers' | 'sha256'>) => Act {
	const navigate = useNavigate()
	const announce = useAnnounce()
	return ({computers = none, sha256 = null}) => {
		const reason = computers.length > most ? t.tooManyForPlaybook(most) : null
		const of = computers.length === 1 ? {computer: computers[0]} : {computers: computers.join(',')}
		const go = () => {
			if (reason !== null) announce(reason)
			else void navigate({to: '/playbooks', search: {...(computers.length > 0 && of), ...(sha256 !== null && {sha256})}})
		}
		return [t.startPlaybookFor, go, reason]
	}
}

/** Links to the playbooks that accept what is shown or selected here. */
export function StartPlaybook({small = false, ...of}: StartPlaybookProps) {
	const [words, go, reason = null] = usePlaybookAct()(of)
	useKey('list.playbook', go)
	return (
		<Button small={small} onPress={go} reason={reason}>
			{words}
		</Button>
	)
}
