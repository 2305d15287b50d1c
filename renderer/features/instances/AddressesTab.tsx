import type {Recipe} from '#contract/instances.ts'

import {Banner} from '#ui/States.tsx'
import {Snippet} from './Address.tsx'
import styles from './tabs.module.css'

/** Addresses and product settings, ready to copy. */
export function AddressesTab({recipes}: {recipes: readonly Recipe[]}) {
	return (
		<div className={styles.tab}>
			{recipes.map(recipe => (
				<section key={recipe.kind} className={styles.recipe} aria-label={recipe.title}>
					<h2 className={styles.heading}>{recipe.title}</h2>
					<Snippet text={recipe.text} label={recipe.title} />
					{recipe.note !== null && <Banner>{recipe.note}</Banner>}
				</section>
			))}
		</div>
	)
}
