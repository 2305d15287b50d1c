import {type ReactNode, useState} from 'react'

import {leaseChoices} from '#model/lease.ts'
import type {LeaseTerm} from '#model/job.ts'
import {leaseText, termWords} from '#text/isolation.ts'

import {Disclosure} from '#ui/Disclosure.tsx'
import {Checkbox, RadioGroup} from '#ui/Field.tsx'
import {t} from '../text.ts'

interface LeaseChoiceProps {
	term: LeaseTerm
	onChange: (term: LeaseTerm) => void
}

interface CodeAndLeaseProps extends LeaseChoiceProps {
	/** Who makes the code, in words. */
	code: string
	children?: ReactNode
}

/** Their defaults fit nearly always: one line tells them, and unfolds. */
export function CodeAndLease({code, children, ...lease}: CodeAndLeaseProps) {
	const [isUnfolded, unfold] = useState(false)
	const {hours, auto} = lease.term
	const release = auto && hours !== null ? t.thenReleased : ''
	return (
		<Disclosure title={t.codeAndLease} summary={`${code} · ${termWords(hours)}${release}`} isOpen={isUnfolded} onToggle={unfold}>
			{children}
			<LeaseChoice {...lease} />
		</Disclosure>
	)
}

/** How long the isolation should last, with the note that the service itself knows no end. */
export function LeaseChoice({term, onChange}: LeaseChoiceProps) {
	const choices = leaseChoices.some(hours => hours === term.hours) ? leaseChoices : [term.hours, ...leaseChoices]
	return (
		<div className="tight">
			<RadioGroup
				label={t.lease}
				value={String(term.hours)}
				onChange={value => onChange({...term, hours: value === 'null' ? null : Number(value)})}
				options={choices.map(hours => ({value: String(hours), label: termWords(hours)}))}
				orientation="horizontal"
			/>
			{term.hours === null ? (
				<p className="quiet">{leaseText.noExpiry}</p>
			) : (
				<Checkbox isSelected={term.auto} onChange={auto => onChange({...term, auto})}>
					{leaseText.autoRelease}
				</Checkbox>
			)}
		</div>
	)
}
