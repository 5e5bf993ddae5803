// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/scalarrules.h"

#include "model/base/utf8.h"
#include "model/protocol/scalar.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

struct Row {
    ReaderDifference difference;
    const char *code;
    Severity severity;
};

const Row *rowOf(const YamlNode &scalar)
{
    static const Row rows[] = {
        {ReaderDifference::Boolean, "scalar.boolean", Severity::Warning},
        {ReaderDifference::Octal, "scalar.octal", Severity::Warning},
        {ReaderDifference::Grouped, "scalar.grouped", Severity::Warning},
        {ReaderDifference::Sexagesimal, "scalar.sexagesimal", Severity::Warning},
        {ReaderDifference::Timestamp, "scalar.timestamp", Severity::Warning},
        {ReaderDifference::Exponent, "scalar.exponent", Severity::Note},
        {ReaderDifference::WholeFloat, "scalar.whole-float", Severity::Note},
    };
    const ReaderDifference difference = readerDifference(scalar);
    for (const Row &row : rows) {
        if (row.difference == difference) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace

void sayReaderDifference(
    Findings &findings, const YamlNode &scalar, const YamlPath &path, const QString &name, bool secret)
{
    const Row *row = rowOf(scalar);
    if (!row) {
        return;
    }
    QJsonObject args{{u"name"_s, name}};
    if (!secret) {
        args.insert(u"value"_s, textFromUtf8(scalar.scalar));
        args.insert(u"read"_s, typedScalar(scalar).value.toText());
    }
    Diagnostic &d = findings.add(secret ? u"scalar.secret"_s : QString::fromLatin1(row->code), row->severity,
        ServerVerdict::Accepts, path, args);
    findings.fix(d, u"fix.quote-value"_s, {{u"field"_s, name}}, {edit::SetText{path, textFromUtf8(scalar.scalar)}});
}

void sayReaderDifferencesBelow(
    Findings &findings, const YamlNode *node, const YamlPath &path, const QString &name, bool secret)
{
    constexpr qsizetype maxDepth = 64;
    if (path.size() > maxDepth || findings.isFull()) {
        return;
    }
    if (node->kind == YamlNode::Kind::Scalar) {
        sayReaderDifference(findings, *node, path, name, secret);
        return;
    }
    for (qsizetype i = 0; i < node->entries.size(); ++i) {
        const YamlNode::Entry &entry = node->entries.at(i);
        if (entry.value->kind == YamlNode::Kind::Alias) {
            continue; // said where it is written
        }
        const QString key = entry.key ? textFromUtf8(entry.key->scalar) : QString();
        const YamlPath child = entry.key ? path.child(key) : path.child(i);
        if (entry.key && readerDifference(*entry.key) != ReaderDifference::Agree) {
            findings.add(
                u"scalar.key"_s, Severity::Warning, ServerVerdict::Accepts, child, {{u"name"_s, key}}, Point::Key);
        }
        sayReaderDifferencesBelow(findings, entry.value, child, name.isEmpty() ? key : name, secret);
    }
}

void sayTextDifference(Findings &findings, const YamlNode &scalar, const YamlPath &path, const QString &field)
{
    if (scalar.kind != YamlNode::Kind::Scalar || scalar.style != YamlNode::Style::Plain) {
        return; // most texts: nothing to find out
    }
    const ReaderDifference difference = readerDifference(scalar);
    if (difference == ReaderDifference::Agree) {
        return;
    }
    const QString written = textFromUtf8(scalar.scalar);
    Diagnostic &d = findings.add(
        u"scalar.text"_s, Severity::Warning, ServerVerdict::Accepts, path, {{u"name"_s, field}, {u"value"_s, written}});
    findings.fix(d, u"fix.quote"_s, {{u"value"_s, written}}, {edit::SetText{path, written}});
}

void sayIntegerDifference(
    Findings &findings, const YamlNode &scalar, const YamlPath &path, const QString &field, qint64 read)
{
    const ReaderDifference difference = readerDifference(scalar);
    if (difference == ReaderDifference::Agree || difference == ReaderDifference::WholeFloat) {
        return;
    }
    const QString number = QString::number(read);
    Diagnostic &d = findings.add(u"scalar.integer"_s, Severity::Warning, ServerVerdict::Accepts, path,
        {{u"name"_s, field}, {u"value"_s, textFromUtf8(scalar.scalar)}, {u"read"_s, number}});
    findings.fix(d, u"fix.set"_s, {{u"value"_s, number}}, {edit::SetValue{path, number.toUtf8()}});
}

} // namespace trainyard
