import {Button, Link} from '#ui/Button.tsx'
import styles from './NothingTyped.module.css'
import {t} from './text.ts'
import type {Recent} from './use-recent.ts'

const forms: readonly (readonly [what: string, example: string])[] = [
	['Computer', 'its name, an IP or MAC address, or a GUID'],
	['User', 'a name, DOMAIN\\name or name@domain'],
	['File', 'SHA-256, also SHA-1 or MD5, a file name or a path'],
	['Network', '203.0.113.66, 10.3.0.0/16, a URL or a domain; hxxp:// and [.] are understood']
]

/** Before typing: possible queries, and recent ones. */
export function NothingTyped({isTyped, recent, onSearch}: {isTyped: boolean; recent: Recent; onSearch: (text: string) => void}) {
	return (
		<div className={styles.start}>
			<section aria-label={t.whatYouSearch}>
				<h2 className={styles.title}>{isTyped ? t.thereNoLetter : t.whatYouSearch}</h2>
				<dl className={styles.forms}>
					{forms.map(([what, example]) => (
						<div key={what}>
							<dt>{what}</dt>
							<dd>{example}</dd>
						</div>
					))}
				</dl>
				<p className="aside">{t.localDataSearched}</p>
			</section>
			<section aria-label={t.recentSearches}>
				<h2 className={styles.title}>{t.recentSearches}</h2>
				{recent.texts.length === 0 ? (
					<p className="aside">{t.noneYetSearches}</p>
				) : (
					<>
						<ul className={styles.recent}>
							{recent.texts.map(text => (
								<li key={text}>
									<Link onPress={() => onSearch(text)} className="hashes wraps">
										{text}
									</Link>
								</li>
							))}
						</ul>
						<Button small onPress={recent.forget}>
							{t.forgetThese}
						</Button>
					</>
				)}
			</section>
		</div>
	)
}
