import { Screen } from '../../ui/Screen.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import styles from './automation.module.css';
import { sections } from './sections.ts';
import { t } from './text.ts';

/** Ways in and out for other programs. */
export function AutomationScreen() {
	return (
		<Screen>
			<ScreenBar title={t.automation} />
			<div className={styles['scroll']}>
				{sections.map(({ title, Part }) => (
					<section key={title} aria-label={title} className={styles['part']}>
						<h2>{title}</h2>
						<Part />
					</section>
				))}
			</div>
		</Screen>
	);
}
