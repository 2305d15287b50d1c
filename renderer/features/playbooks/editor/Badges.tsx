import type {PlaybookVerdict} from '#model/playbook.ts'

import {Tag} from '#ui/Tag.tsx'
import {t} from '../text.ts'

export function Badges({verdict}: {verdict: PlaybookVerdict | null}) {
	if (verdict === null) return null
	const {valid, runnable, portable} = verdict
	return (
		<>
			<Tag tone={valid ? 'ok' : 'bad'}>{valid ? t.cacaoValid : t.notValid}</Tag>
			{valid && !runnable && <Tag tone="warn">{t.doesNotRun}</Tag>}
			{portable && <Tag tone="ok">{t.portable}</Tag>}
		</>
	)
}
