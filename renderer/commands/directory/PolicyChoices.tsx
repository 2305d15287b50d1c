import type {PolicyRow} from '#contract/directory.ts'

import {Select} from '#ui/Select.tsx'
import {t} from '../text.ts'
import {assignable, type ChosenPolicies, type PresentPolicy} from './assignable.ts'
import {inProductOrder, productTitle} from './directory-words.ts'
import styles from './PolicyChoices.module.css'

interface PolicyChoicesProps {
	policies: readonly PolicyRow[]
	chosen: ChosenPolicies
	onChange: (chosen: ChosenPolicies) => void
	/** Omitted when groups have different policies. */
	present?: (product: string) => PresentPolicy
	/** The first one has the focus. */
	autoFocus?: boolean
}

const stays = ''

/** One choice for each product whose policy the service lets operators set; the others are named. */
export function PolicyChoices({policies, chosen, onChange, present, autoFocus = false}: PolicyChoicesProps) {
	const others = inProductOrder(policies.map(({product}) => product)).filter(product => !assignable.some(each => each === product))
	return (
		<>
			<div className={styles.choices}>
				{assignable.map((product, index) => (
					<Select
						key={product}
						label={productTitle(product)}
						autoFocus={autoFocus && index === 0}
						value={chosen[product] ?? stays}
						options={optionsOf(policies, product, present?.(product))}
						onChange={guid => {
							const {[product]: _before, ...rest} = chosen
							onChange(guid === stays ? rest : {...rest, [product]: guid})
						}}
					/>
				))}
			</div>
			{others.length !== 0 && <p className="quiet">{t.apiCannotSet(others.map(productTitle).join(' and '))}</p>}
		</>
	)
}

function optionsOf(policies: readonly PolicyRow[], product: string, present: PresentPolicy | undefined) {
	return [
		{value: stays, label: present === undefined ? 'Stays as it is' : `Stays: ${present.label}`},
		...policies
			.filter(policy => policy.product === product && policy.vanishedAt === null && policy.guid !== present?.guid)
			.map(({guid, name, isDefault}) => ({value: guid, label: name, ...(isDefault && {detail: 'default'})}))
	]
}
