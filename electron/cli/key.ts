/** An API key or a passphrase from where nobody else reads it: a file of one's own, standard input, or a hidden prompt. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

import { CordonError } from '#shared/contract/errors.ts';
import { showUnseen } from '#shared/text/foreign.ts';

import type { CliHost } from './host.ts';

const longest = 4096;

/** The first line of a file; `-` is standard input. `option` names it in errors. */
export async function readSecretFile(host: CliHost, file: string, option: string): Promise<string> {
  const text = await readSecretText(host, file, option, longest);
  const [line = ''] = text.split(/\r?\n/);
  if (line.trim() === '') throw bad(option, `${file === '-' ? 'Standard input' : file} holds no key.`);
  return line.trim();
}

/** All of a file that only its owner can read, or of standard input: at most so many bytes. */
export async function readSecretText(host: CliHost, file: string, option: string, most: number): Promise<string> {
  return file === '-' ? await readInput(host, most) : await readOwnFile(host, file, option, most);
}

/** Asks on the terminal and shows nothing of what is typed. */
export async function askSecret(host: CliHost, question: string, option: string): Promise<string> {
  const { stdin, stderr, signal } = host;
  if (!stdin.isTTY)
    throw bad(
      option,
      `There is no terminal to ask on: give --${option} FILE, or --${option} - to read standard input.`,
    );
  stderr.write(showUnseen(question));
  try {
    return await readHidden(stdin, signal);
  } finally {
    stderr.write('\n');
  }
}

async function readOwnFile(host: CliHost, file: string, option: string, most: number): Promise<string> {
  // Without O_NONBLOCK a FIFO that nobody writes to would be waited for in a way that no signal ends.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw bad(option, `${file} cannot be read: ${reasonOf(error)}.`);
  });
  try {
    // The opened file is looked at, not its name: nobody can put another in its place in between.
    const stat = await handle.stat();
    if (stat.isDirectory()) throw bad(option, `${file} is a folder.`);
    if (!stat.isFile())
      throw bad(option, `${file} is no file of its own: give --${option} -, and write the key to standard input.`);
    if (host.platform !== 'win32' && (stat.mode & 0o077) !== 0)
      throw bad(option, `${file} can be read or changed by others: run chmod 600 on it first.`);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(most), position: null });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readInput({ stdin }: CliHost, most: number): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > most) break;
  }
  return text;
}

function readHidden(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (): void => {
      stdin.off('data', take);
      signal.removeEventListener('abort', stop);
      stdin.setRawMode(false);
      stdin.pause();
    };
    const stop = (): void => {
      end();
      reject(new CordonError('cancelled'));
    };
    const take = (chunk: Buffer | string): void => {
      for (const char of String(chunk)) {
        if (char === '\u0003') return stop();
        if (char === '\r' || char === '\n' || char === '\u0004') {
          end();
          return resolve(typed.trim());
        }
        typed = char === '\u007f' || char === '\b' ? typed.slice(0, -1) : typed + char;
      }
    };
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('data', take);
    signal.addEventListener('abort', stop);
  });
}

function bad(field: string, message: string): CordonError {
  return new CordonError('usage', message, { field });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EACCES' ? 'access is denied' : String(code ?? error);
}
