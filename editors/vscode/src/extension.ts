// Starts `smem-lint lsp` and tells it the settings; all else is the protocol's.
import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';

import { commandOf, Get, needsRestart, serverSettings } from './settings';

let client: LanguageClient | undefined;

const get: Get = (name, otherwise) => vscode.workspace.getConfiguration('smem-lint').get(name, otherwise);
const hasExtension = (id: string) => vscode.extensions.getExtension(id) !== undefined;

async function start(): Promise<void> {
  const server: ServerOptions = commandOf(get);
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: 'file', language: 'cuda-cpp' },
      { scheme: 'file', language: 'cuda' },
      { scheme: 'file', pattern: '**/*.{cu,cuh}' },
    ],
    initializationOptions: serverSettings(get, hasExtension),
  };
  client = new LanguageClient('smem-lint', 'smem-lint', server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const what = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`smem-lint: '${commandOf(get).command}' cannot be started (${what}). Set smem-lint.path.`);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('smem-lint.restart', async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration('smem-lint')) {
        return;
      }
      if (client === undefined || needsRestart((section) => change.affectsConfiguration(section))) {
        await stop();
        await start();
      } else {
        await client.sendNotification('workspace/didChangeConfiguration', {
          settings: { 'smem-lint': serverSettings(get, hasExtension) },
        });
      }
    }),
  );
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
