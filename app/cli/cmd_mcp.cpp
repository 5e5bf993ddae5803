// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/mcpserver.h"
#include "app/cli/session.h"

#include <QDir>
#include <QEventLoop>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct McpValues {
    QStringList words;
    QStringList roots;
    bool submits = false;
};

int runMcp(const McpValues &values)
{
    const auto roots = mcp::Roots::of(values.roots.isEmpty() ? QStringList{QDir::currentPath()} : values.roots);
    if (!roots) {
        errorLine(roots.error());
        return exitUnusable;
    }
    if (::isatty(STDIN_FILENO) == 1) {
        plainErrorLine(
            tr("This is for an assistant, which starts it and speaks the Model Context Protocol with it. Waiting "
               "for its messages; Ctrl+D ends."));
    }
    QEventLoop loop;
    Interrupts interrupts;
    mcp::Server server(*roots, values.submits ? mcp::Offered::Proposals : mcp::Offered::Reading);
    int status = exitOk;
    QObject::connect(&server, &mcp::Server::finished, &loop, &QEventLoop::quit);
    QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&] {
        status = exitInterrupted;
        loop.quit();
    });
    server.start();
    loop.exec();
    return status;
}

const CommandLine<McpValues> &mcpLine()
{
    static const CommandLine<McpValues> line
        = CommandLine<McpValues>(u"mcp"_s, tr("Let an assistant read about jobs"))
              .runs(runMcp)
              .text(tr("Serves an assistant, such as one in an editor, over standard input and output by the Model "
                       "Context Protocol. The assistant can list jobs, hosts and clusters, show a job, find out why "
                       "it failed or waits, read logs and metrics, compare jobs, check the text of a job, show what "
                       "it would run, and look up fields. It cannot start, change or stop anything, and it gets no "
                       "value of a secret. With --submit it can propose jobs, each of which you approve or refuse."))
              .option(u"--root DIR"_s, &McpValues::roots,
                  tr("a folder below which the assistant may use files of jobs; may be repeated (default: the "
                     "current folder)"))
              .completes(Word::File)
              .option(u"--submit"_s, &McpValues::submits,
                  tr("also let it propose jobs, and submit those that you have approved; the setting "
                     "assistants.submit must be 'ask'"))
              .more(tr("The assistant starts this command by itself; assistants.md in the documentation says how to "
                       "set this up. The versions 2024-11-05 to 2026-07-28 of the protocol are supported."))
              .examples({u"trainyardctl mcp"_s, u"trainyardctl mcp --root ~/experiments"_s,
                  u"trainyardctl mcp --submit --root ~/experiments"_s})
              .exits({{exitOk, tr("the assistant has ended")}, {exitUnusable, tr("no such folder, or wrong usage")},
                  {exitInterrupted, tr("interrupted")}});
    return line;
}

} // namespace

Command mcpCommand() { return mcpLine().command(); }

} // namespace trainyard::cli
