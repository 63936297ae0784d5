// What the settings of the editor mean to the server. Nothing of VS Code is needed for it.

/** A setting by its name below `smem-lint`. */
export type Get = <T>(name: string, otherwise: T) => T;

/** What starts the server. */
export interface Command {
  command: string;
  args: string[];
}

/** What the server is told: docs/editors.md lists it. */
export interface ServerSettings {
  inlayHints: string;
  codeLens: boolean;
  compilerErrors: boolean;
  fixes: boolean;
  whileTyping: boolean;
  delay: number;
}

/** Extensions that show the compiler's errors themselves. */
export const otherCompilers = ['llvm-vs-code-extensions.vscode-clangd', 'ms-vscode.cpptools'];

export function commandOf(get: Get): Command {
  const path = get<string>('path', 'smem-lint').trim();
  return { command: path === '' ? 'smem-lint' : path, args: ['lsp', ...get<string[]>('arguments', [])] };
}

export function serverSettings(get: Get, hasExtension: (id: string) => boolean): ServerSettings {
  const errors = get<string>('compilerErrors', 'auto');
  return {
    inlayHints: get<string>('inlayHints', 'all'),
    codeLens: get<boolean>('codeLens', true),
    compilerErrors: errors === 'auto' ? !otherCompilers.some(hasExtension) : errors === 'on',
    fixes: get<boolean>('fixes', true),
    whileTyping: get<boolean>('whileTyping', true),
    delay: get<number>('delay', 50),
  };
}

/** Whether a change of settings needs another server, or only has to be told to it. */
export function needsRestart(affects: (section: string) => boolean): boolean {
  return affects('smem-lint.path') || affects('smem-lint.arguments');
}
