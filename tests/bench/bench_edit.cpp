// SPDX-License-Identifier: GPL-3.0-or-later
// How long a large job takes to read and to edit: 10,000 lines, half a megabyte. The peer is yaml-cpp alone, reading
// the same text into its own nodes in the same rounds; medians count, and the ratio to the peer is printed.
#include "model/protocol/jobdocument.h"
#include "model/protocol/rename.h"
#include "model/yaml/yamledit.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <sstream>
#include <vector>

using namespace trainyard;

namespace
{

// Roles of the kinds that people write: comments, literal and folded commands, templates, flow maps.
QByteArray largeJob(int lines)
{
    QByteArray text(
        "protocolVersion: 2\nname: large\ntype: job\nprerequisites:\n  - name: image\n    type: dockerimage\n"
        "    uri: host/image:1\nparameters:\n  lr: 0.01\n  epochs: 5\ntaskRoles:\n");
    qsizetype written = text.count('\n');
    for (int role = 0; written < lines; ++role) {
        const QByteArray number = QByteArray::number(role);
        QByteArray part = "  # Role " + number + " of many\n  role" + number + ":\n"
            + "    instances: 2\n    dockerImage: image\n"
              "    resourcePerInstance: {cpu: 4, memoryMB: 8192, gpu: 1}\n    commands:\n"
              "      - pip install --quiet --requirement requirements.txt # once per task\n      - |\n";
        for (int i = 0; i < 8; ++i) {
            part += "        echo \"step " + QByteArray::number(i) + " of role " + number
                + " with rate <% $parameters.lr %>\"\n";
        }
        part += "      - >-\n        python train.py --lr <% $parameters.lr %> --epochs <% $parameters.epochs %>\n"
                "        --data /mnt/data --out /mnt/out/role"
            + number + "\n      - 'echo \"done: $PAI_TASK_INDEX of $PAI_CURRENT_TASK_ROLE_TASK_COUNT\"'\n";
        text += part;
        written += part.count('\n');
    }
    return text;
}

class Silent : public YAML::EventHandler
{
public:
    void OnDocumentStart(const YAML::Mark &) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark &, YAML::anchor_t) override { ++events; }
    void OnAlias(const YAML::Mark &, YAML::anchor_t) override { ++events; }
    void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override { ++events; }
    void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        ++events;
    }
    void OnSequenceEnd() override { }
    void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
    {
        ++events;
    }
    void OnMapEnd() override { }
    long events = 0;
};

struct Measure {
    const char *name;
    std::function<bool()> work;
    std::vector<double> ms = {};
    double median()
    {
        std::sort(ms.begin(), ms.end());
        return ms.at(ms.size() / 2);
    }
};

} // namespace

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
    const QByteArray text = largeJob(10'000);
    const std::string bytes = text.toStdString();
    const YamlDocument document = YamlDocument::parse(text);
    const YamlPath roles{QStringLiteral("taskRoles")};
    const YamlPath role = roles.child(QStringLiteral("role200"));
    const auto edits = [&](const edit::Op &op) { return planEdit(document, op).has_value(); };

    std::vector<Measure> all{
        {"yaml-cpp alone: nodes (the peer)", [&] { return YAML::Load(bytes).IsMap(); }},
        {"yaml-cpp alone: events",
            [&] {
                std::istringstream stream(bytes);
                YAML::Parser parser(stream);
                Silent handler;
                return parser.HandleNextDocument(handler) && handler.events > 0;
            }},
        {"parse: YAML with ranges and checks", [&] { return YamlDocument::parse(text).isWellFormed(); }},
        {"parse: the job with all its rules", [&] { return parseJob(text).spec.has_value(); }},
        {"edit: one number",
            [&] {
                return edits(edit::SetValue{role.child(QStringLiteral("instances")), QByteArray("3")});
            }},
        {"edit: one command",
            [&] {
                return edits(edit::SetText{
                    role.child(QStringLiteral("commands")).child(qsizetype(1)), QStringLiteral("one\ntwo\n")});
            }},
        {"edit: a command added",
            [&] {
                return edits(edit::InsertText{
                    role.child(QStringLiteral("commands")).child(QStringLiteral("-")), QStringLiteral("true")});
            }},
        {"edit: a role removed", [&] { return edits(edit::Remove{role}); }},
        {"edit: a role moved to the front",
            [&] {
                return edits(edit::Move{role, 0});
            }},
        {"rename: a parameter with all references",
            [&] {
                const Result<RenamePlan> plan = planRename(
                    document, {QStringLiteral("parameters"), QStringLiteral("lr")}, QStringLiteral("rate"));
                return plan && planEdits(document, plan->ops).has_value();
            }},
    };
    std::printf("%lld lines, %.2f MB, %d rounds, medians\n", static_cast<long long>(text.count('\n')),
        double(text.size()) / 1e6, rounds);
    for (int round = 0; round < rounds; ++round) {
        for (Measure &each : all) {
            const auto begin = std::chrono::steady_clock::now();
            const bool done = each.work();
            const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
            if (!done) {
                std::fprintf(stderr, "bench_edit: '%s' did not do what it should.\n", each.name);
                return 1;
            }
            each.ms.push_back(spent.count());
        }
    }
    const double peer = all.front().median();
    for (Measure &each : all) {
        const double median = each.median();
        std::printf("%-42s %8.1f ms   %5.2f x the peer\n", each.name, median, median / peer);
    }
    return 0;
}
