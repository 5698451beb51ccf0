" srpatch in Vim and Neovim. Copy this file into a directory named plugin of the runtime path.
"
" The reply comes from a register, by default the clipboard's (+), or with ! from the buffer or a
" range of its lines.
"
"   :SrPatch[!] [x]         apply it to the files below the current directory, all or nothing
"   :SrPatchDiff[!] [x]     show what it would change in a new window; nothing is written
"   :SrPatchCheck[!] [x]    put what would be refused into the quickfix list
"   :SrPatchHere[!] [x]     apply the blocks for this buffer to it, saved or not; u undoes that
"   :SrPatchUndo            undo the last run

command! -bang -range=% -nargs=? SrPatch      call s:apply(s:reply(<bang>0, <line1>, <line2>, <q-args>))
command! -bang -range=% -nargs=? SrPatchDiff  call s:diff(s:reply(<bang>0, <line1>, <line2>, <q-args>))
command! -bang -range=% -nargs=? SrPatchCheck call s:check(s:reply(<bang>0, <line1>, <line2>, <q-args>))
command! -bang -range=% -nargs=? SrPatchHere  call s:here(s:reply(<bang>0, <line1>, <line2>, <q-args>))
command! SrPatchUndo call s:say('srpatch undo', []) | checktime

" The lines of a reply.
function! s:reply(from_buffer, first, last, register) abort
  if a:from_buffer
    return getline(a:first, a:last)
  endif
  return getreg(empty(a:register) ? '+' : a:register, 1, 1)
endfunction

" Run a command, and show its output.
function! s:say(command, reply) abort
  echo trim(system(a:command, a:reply))
  return v:shell_error
endfunction

function! s:apply(reply) abort
  " Files with unsaved changes must not change on disk.
  let unsaved = map(getbufinfo({'bufmodified': 1}), 'v:val.name')
  let files = s:plan(a:reply)
  for file in get(files, 'files', [])
    for name in [file.path, get(file, 'from', '')]
      if !empty(name) && index(unsaved, fnamemodify(name, ':p')) >= 0
        echoerr 'srpatch: ' . name . ' is not saved; :write it, or apply to the buffer with :SrPatchHere'
        return
      endif
    endfor
  endfor
  call s:say('srpatch', a:reply)
  checktime
endfunction

" What srpatch would do, as a dictionary.
function! s:plan(reply) abort
  let json = system('srpatch check --json 2>' . s:errors, a:reply)
  return empty(json) ? {} : json_decode(json)
endfunction
let s:errors = tempname()

function! s:diff(reply) abort
  let text = systemlist('srpatch -n -q --color=never', a:reply)
  new
  setlocal buftype=nofile bufhidden=wipe noswapfile filetype=diff
  call setline(1, text)
endfunction

function! s:check(reply) abort
  cgetexpr systemlist('srpatch check --annotate=lines 2>' . s:errors, a:reply)
  if v:shell_error > 1
    echo join(readfile(s:errors), "\n")
    return
  endif
  echo len(getqflist()) ? 'srpatch: see :copen' : 'srpatch: every block fits'
endfunction

function! s:here(reply) abort
  if match(getline(1, '$'), "\n") >= 0
    echo 'srpatch: the buffer has a NUL, which is no text; :write it, and use :SrPatch'
    return
  endif
  let text = join(getline(1, '$'), "\n") . "\n"
  let name = expand('%:.')
  let request = {'files': {name: text}, 'reply': join(a:reply, "\n") . "\n", 'want': 'edits', 'partial': v:true}
  let answer = json_decode(system('srpatch filter', json_encode(request)))
  if has_key(answer, 'error')
    echo 'srpatch: ' . answer.error.message
    return
  endif
  " Blocks for other files are refused, because the request has one file.
  let refused = filter(answer.blocks, 'has_key(v:val, "reason") && index(["", name], get(v:val, "path", "")) >= 0')
  let here = get(answer, 'changes', [])
  if !empty(refused) || empty(here)
    echo 'srpatch: ' . (empty(refused) ? 'nothing to change here' : refused[0].message)
    return
  endif
  if here[0].action ==# 'delete' || has_key(here[0], 'from')
    echo 'srpatch: the reply deletes or moves this file; :SrPatch does that'
    return
  endif
  for edit in reverse(here[0].edits)
    let text = strpart(text, 0, edit.start) . edit.text . strpart(text, edit.end)
  endfor
  let lines = split(substitute(text, '\n$', '', ''), '\n', 1)
  call setline(1, lines)
  if line('$') > len(lines)
    call deletebufline('', len(lines) + 1, '$')
  endif
  echo 'srpatch: ' . len(here[0].edits) . ' edits'
endfunction
