import {useState} from 'react'

import {oddOf} from '#model/odd.ts'

import {CopyButton} from './Button.tsx'
import {Disclosure} from './Disclosure.tsx'
import styles from './OddRecord.module.css'
import {Tag} from './Tag.tsx'
import {t} from './text.ts'

/** Undocumented parts of a service record, with its original text; nothing for a usual one. */
export function OddRecord({record}: {record: unknown}) {
	const [isOpen, setOpen] = useState(false)
	const odd = oddOf(record)
	if (odd === undefined) return null
	const fields = <Tag tone="warn">{odd.fields.join(', ')}</Tag>
	return (
		<Disclosure title={t.oddRecord} summary={fields} isOpen={isOpen} onToggle={setOpen}>
			<p>
				{t.asItCame} <CopyButton text={odd.raw} what={t.oddRecord} />
			</p>
			<pre className={styles.raw}>{odd.raw}</pre>
		</Disclosure>
	)
}
