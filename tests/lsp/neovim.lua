-- Run by neovim_test.py: opens a kernel, waits for its diagnostic, applies the fix, waits until it is gone; writes what it saw to $RESULT.
local seen = {}
local function finish(failure)
  seen.failure = failure
  local out = assert(io.open(vim.env.RESULT, 'w'))
  out:write(vim.fn.json_encode(seen))
  out:close()
  vim.cmd('qa!')
end

local ok, failure = pcall(function()
  local minute = 60000 -- against hanging
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.KERNEL))
  seen.filetype = vim.bo.filetype
  local configuration = { name = 'smem-lint', cmd = { vim.env.TOOL, 'lsp' }, root_dir = vim.fn.getcwd() }
  if vim.lsp.start then
    vim.lsp.start(configuration)
  else -- before 0.8
    vim.lsp.buf_attach_client(0, vim.lsp.start_client(configuration))
  end
  assert(vim.wait(minute, function() return #vim.diagnostic.get(0) > 0 end, 20), 'no diagnostic')
  local diagnostic = vim.diagnostic.get(0)[1]
  seen.before = { line = diagnostic.lnum + 1, message = diagnostic.message, source = diagnostic.source }
  vim.api.nvim_win_set_cursor(0, { diagnostic.lnum + 1, diagnostic.col })

  local position = vim.lsp.util.make_position_params(0, 'utf-16')
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', position, minute)
  for _, answer in pairs(hover) do seen.hover = answer.result.contents.value end

  local params = vim.lsp.util.make_range_params(0, 'utf-16')
  params.context = { diagnostics = {} }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, minute)
  for _, answer in pairs(answers) do
    for _, action in ipairs(answer.result) do
      if action.isPreferred and not seen.action then
        seen.action = action.title
        vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
      end
    end
  end
  assert(seen.action, 'no fix is offered')
  assert(vim.wait(minute, function() return #vim.diagnostic.get(0) == 0 end, 20), 'the diagnostic stays')
  seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end)
finish(not ok and tostring(failure) or nil)
