import type {ReactNode} from 'react'

import {cx} from './cx.ts'
import styles from './PlainTable.module.css'

/** A few rows to read, without a cursor. Rows are those of HTML. */
export function PlainTable({className, children}: {readonly className?: string | undefined; readonly children: ReactNode}) {
	return <table className={cx(styles['table'], className)}>{children}</table>
}
