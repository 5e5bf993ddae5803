// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlstray.h"

#include "model/yaml/yamllex.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

namespace trainyard::yamltree
{

namespace
{

class NoEvents : public YAML::EventHandler
{
public:
    void OnDocumentStart(const YAML::Mark &) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark &, YAML::anchor_t) override { }
    void OnAlias(const YAML::Mark &, YAML::anchor_t) override { }
    void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override { }
    void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {
    }
    void OnSequenceEnd() override { }
    void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override { }
    void OnMapEnd() override { }
};

// Whether a text that can be read so far ends inside of brackets. The parser itself has to say: brackets in texts are
// none, and only it knows where a text ends.
bool endsInBrackets(const QByteArray &text)
{
    std::istringstream stream(text.toStdString() + '\n');
    NoEvents events;
    try {
        YAML::Parser parser(stream);
        for (int documents = 0; documents < 2 && parser.HandleNextDocument(events); ++documents) { }
    } catch (const YAML::Exception &error) {
        return error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW || error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW;
    }
    return false;
}

// Whether a bracket or quote is closed right before `pos`, on the same line. A text without quotes would go on there.
bool isBehindValue(const QByteArray &bytes, qsizetype pos)
{
    qsizetype end = pos;
    while (end > 0 && yamllex::isBlank(bytes.at(end - 1))) {
        --end;
    }
    const char last = yamllex::at(bytes, end - 1);
    return last == '}' || last == ']' || last == '"' || last == '\'';
}

} // namespace

QString strayReason(const QByteArray &bytes, qsizetype pos, const QString &reason)
{
    const bool inBrackets = reason == QLatin1String("flow-list-end") || reason == QLatin1String("flow-map-end");
    const bool inLines = reason == QLatin1String("list-end") || reason == QLatin1String("map-end");
    const bool hasText = pos < bytes.size() && !yamllex::isBreak(bytes.at(pos));
    if ((inBrackets || inLines) && hasText && isBehindValue(bytes, pos)) {
        return inLines ? QStringLiteral("after-value") : QStringLiteral("no-comma");
    }
    if (reason == QLatin1String("bracket") && !endsInBrackets(bytes.first(pos))) {
        return QStringLiteral("extra-bracket");
    }
    return reason;
}

} // namespace trainyard::yamltree
