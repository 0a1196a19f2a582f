import Foundation
import TestSupport
import Testing

/// `pushpipe lsp` in an editor: Neovim with the lines of `Documentation/guides/editor.md`.
struct EditorSlowTests {
    /// Waits until a condition holds, which Neovim checks whenever something happens. What is printed goes to a file, because Neovim mixes its own
    /// messages into standard error.
    private static let driver = #"""
        -- Neovim 0.7 has the parts only.
        vim.lsp.start = vim.lsp.start or function(config, options)
          local id = vim.lsp.start_client(config)
          vim.lsp.buf_attach_client(options.bufnr, id)
          return id
        end
        local lines = {}
        local function say(...) table.insert(lines, table.concat({ ... }, " ")) end
        local function until_(condition)
          if not vim.wait(120000, condition, 10) then say("gave up") end
        end
        local function found()
          local texts = {}
          for _, d in ipairs(vim.diagnostic.get(0)) do
            table.insert(texts, d.code .. ":" .. d.lnum .. ":" .. d.col .. "-" .. d.end_col .. ":" .. d.severity)
          end
          return table.concat(texts, " ")
        end
        local function ask(method, parameters)
          local answers = vim.lsp.buf_request_sync(0, method, parameters, 120000) or {}
          for _, answer in pairs(answers) do return answer.result end
        end

        vim.cmd("edit push.apns")
        until_(function() return found() ~= "" end)
        say("open", found())

        -- Three units and six bytes in place of two. Neovim counts bytes.
        vim.api.nvim_buf_set_text(0, 0, 17, 0, 19, { "👍é" })
        until_(function() return found():find(":25-", 1, true) ~= nil end)
        say("change", found())

        vim.api.nvim_win_set_cursor(0, { 1, 30 })
        local hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"))
        say("hover", hover.contents.kind, (hover.contents.value:gsub("\n.*", "")))

        local parameters = vim.lsp.util.make_range_params(0, "utf-16")
        parameters.context = { diagnostics = {} }
        for _, action in ipairs(ask("textDocument/codeAction", parameters)) do
          say("action", action.kind, action.title)
          if action.kind == "quickfix" then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
        end
        until_(function() return found() == "" end)
        say("fixed", found() .. vim.api.nvim_buf_get_lines(0, 0, -1, false)[1])

        vim.api.nvim_buf_set_lines(0, 0, -1, false, { '{"aps":{"alert":"Hi",}}' })
        until_(function() return found() ~= "" end)
        say("broken", found())

        vim.cmd("edit! package.json")
        local package_ = vim.api.nvim_get_current_buf()
        vim.cmd("edit other.apns")
        until_(function() return found() ~= "" end)
        say("other", found(), #vim.diagnostic.get(package_))

        vim.fn.writefile(lines, "said.txt")
        vim.cmd("qall!")
        """#

    @Test(.timeLimit(.minutes(5))) func `Neovim shows, explains and fixes findings`() throws {
        let folder = try Folder()
        let guide = try String(
            contentsOf: Place.package.appendingPathComponent("Documentation/guides/editor.md"), encoding: .utf8)
        let settings = try #require(
            guide.components(separatedBy: "\n```lua\n").last?.components(separatedBy: "\n```").first)
        try folder.write(settings, to: "init.lua")
        try folder.write(Self.driver, to: "driver.lua")
        let misspelled = #"{"aps":{"alert":"Hi","mutable_content":1}}"#
        for name in ["push.apns", "other.apns"] { try folder.write(misspelled + "\n", to: name) }
        try folder.write("{\n  \"name\": \"app\",\n}\n", to: "package.json")

        let output = try folder.shell(
            "HOME=$PWD XDG_STATE_HOME=$PWD XDG_CACHE_HOME=$PWD nvim --headless -u init.lua -i NONE -n -c 'luafile driver.lua'"
        )
        let said = try folder.read("said.txt").split(separator: "\n").map(String.init)
        #expect(output.status == 0, "\(output.stderr)")
        #expect(
            said == [
                "open aps.misspelled-key:0:21-38:1",
                "change aps.misspelled-key:0:25-42:1",
                "hover markdown ### aps.misspelled-key",
                #"action quickfix Replace with "mutable-content""#,
                "action source.fixAll.pushpipe Fix all problems that pushpipe can fix",
                #"fixed {"aps":{"alert":"👍é","mutable-content":1}}"#,
                "broken json.trailing-comma:0:20-21:1",
                "other aps.misspelled-key:0:21-38:1 0",
            ], "\(said.joined(separator: "\n"))")
    }
}
