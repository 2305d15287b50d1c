import {leaseChoices} from '#model/lease.ts'
import type {LeaseTerm} from '#model/job.ts'
import {leaseText, termWords} from '#text/isolation.ts'

import {Checkbox, RadioGroup} from '#ui/Field.tsx'
import {t} from '../text.ts'

/** How long the isolation should last, with the note that the service itself knows no end. */
export function LeaseChoice({term, onChange}: {term: LeaseTerm; onChange: (term: LeaseTerm) => void}) {
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
