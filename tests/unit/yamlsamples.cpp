// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/yamlsamples.h"

#include "tests/helpers/fullform.h"

#include <QDir>

using namespace trainyard;

namespace yamlsamples
{

QList<Sample> builtIn()
{
    return {
        {QStringLiteral("job"), R"(# A job
protocolVersion: 2
name: "mnist_01"   # quoted
type: job
contributor: someone
description: >-
  Trains a model
  on two lines.

prerequisites:
  - protocolVersion: 2
    name: image
    type: dockerimage
    uri: "openpai/standard:python_3.6-pytorch_1.2.0-gpu"
  # where the data is
  - name: data
    type: data
    uri:
      - http://host/a.tar.gz
      - 'http://host/b.tar.gz'
parameters:
  lr: 0.01 # rate
  layers: [3, 4, 6, 3]
  flags: {amp: true, "grad clip": 1e3, list: [a, b]}
  empty:
taskRoles:
  worker:
    instances: 2
    completion:
      minFailedInstances: 1
    dockerImage: image
    resourcePerInstance:
      cpu: 4
      memoryMB: 8192
      gpu: 1
    commands:
      - echo start # first
      # - nvidia-smi
      - |
        for i in 1 2 3; do
          echo "$i: <% $parameters.lr %>"   # not a comment
        done
      - >-
        python train.py
        --lr <% $parameters.lr %>
        --out $OUT

      - |+
        keep

      - "say \"hi\"\n"
  # the server
  ps: # inline
    instances: 1
    commands:
    - sleep infinity
extras:
  com.microsoft.pai.runtimeplugin:
    - plugin: ssh
      parameters: {jobssh: true, userssh: {}}
)"},
        {QStringLiteral("no line break at the end"), "a: 1\nb:\n  - x\n  - y: |\n      t"},
        {QStringLiteral("CRLF"),
            "a: 1 # c\r\nb:\r\n  - x\r\n  - |\r\n    l1\r\n    l2\r\n  - z\r\nc: {d: [1, 2], e: f}\r\n"},
        {QStringLiteral("BOM and marks"), "\xEF\xBB\xBF---\n# c\na: x\nb: [1,\n  2, # two\n  3]\n...\n# end\n"},
        {QStringLiteral("odd layout"), "? a\n: b\n? c\n:\n- x\n-\n  - y\n  - z:  1\n    w: 2\n-   v\n"},
        {QStringLiteral("odd layout 2"),
            "a:\n- x\n- - y\n  - z\n-\n  k: v\n\n\nb:\n    c:\n        d: 1\n    # deep\n# end"},
        {QStringLiteral("flow root"), "{a: 1, 'b': [x, \"y\", {z: }], c, d: {e: f,\n g: h}}\n"},
        {QStringLiteral("anchors"), "a: &x 1\nb: &y {c: 1, d: *x}\ne: *y\nf: &unused z\ng: !!str 5\nh: !!int 7\n"},
        {QStringLiteral("two documents"), "a: 1\nb: x\n---\nsecret: 2\n"},
        {QStringLiteral("duplicates"), "a: 1\nb: {c: 1}\na: 2\nd: x\n"},
        {QStringLiteral("block scalars"),
            "a: |2-\n    x\n  y\nb: >+ # c\n  p\n  q\n\n    r\n\nc: |\n\n  z\n\n\nd: >\n    w\n"},
        {QStringLiteral("unicode"),
            "\xC3\xA4: \xF0\x9F\x98\x80 # \xE2\x82\xAC\n\"k\\u00e9\": '\xE6\x97\xA5\xE6\x9C\xAC'\n"},
    };
}

QByteArray facts(const YamlNode *node)
{
    const bool plain = node->style == YamlNode::Style::Plain;
    return QByteArray::number(int(node->kind)) + '|' + node->tag + '|' + node->anchor + '|' + (plain ? 'p' : 'q') + '|'
        + node->scalar + '|' + QByteArray::number(node->entries.size());
}

namespace
{

QList<Sample> samplesBelow(const QString &folder)
{
    QList<Sample> samples;
    const QDir dir(folder);
    const QStringList names
        = dir.entryList({QStringLiteral("*.yaml"), QStringLiteral("*.yml")}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        QFile file(dir.filePath(name));
        if (file.open(QIODevice::ReadOnly)) {
            samples.append({name, file.readAll()});
        }
    }
    return samples;
}

void listFacts(const YamlNode *node, const QByteArray &where, const YamlNode *except, QList<QByteArray> &list)
{
    if (node == except) {
        return;
    }
    list.append(where + ' ' + facts(node));
    for (qsizetype i = 0; i < node->entries.size(); ++i) {
        const YamlNode::Entry &entry = node->entries.at(i);
        if (entry.value == except) {
            continue; // with its key
        }
        const QByteArray name = entry.key ? facts(entry.key) : QByteArray("item");
        listFacts(entry.value, where + '/' + name, except, list);
    }
}

// The bytes of scalars hide comment signs that are none: blank them, then every sign left begins a comment.
void hideScalars(const YamlNode *node, QByteArray &text)
{
    if (node->kind == YamlNode::Kind::Scalar) {
        qsizetype begin = node->at.begin;
        if (node->style == YamlNode::Style::Literal || node->style == YamlNode::Style::Folded) {
            while (begin < node->at.end && text.at(begin) != '\n') {
                ++begin;
            }
        }
        for (qsizetype i = begin; i < node->at.end; ++i) {
            text[i] = text.at(i) == '\n' ? '\n' : '.';
        }
    }
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            hideScalars(entry.key, text);
        }
        hideScalars(entry.value, text);
    }
}

} // namespace

QMap<QByteArray, int> comments(const YamlDocument &document)
{
    QByteArray masked = document.bytes();
    for (const YamlNode *root : {document.root(), document.secondRoot()}) {
        if (root) {
            hideScalars(root, masked);
        }
    }
    QMap<QByteArray, int> found;
    qsizetype line = 0;
    while (line < masked.size()) {
        qsizetype end = masked.indexOf('\n', line);
        end = end < 0 ? masked.size() : end;
        const qsizetype sign = masked.indexOf('#', line);
        if (sign >= 0 && sign < end) {
            ++found[document.bytes().mid(sign, end - sign).trimmed()];
        }
        line = end + 1;
    }
    return found;
}

bool holdsAll(const QMap<QByteArray, int> &all, const QMap<QByteArray, int> &some)
{
    for (auto it = some.cbegin(); it != some.cend(); ++it) {
        if (all.value(it.key()) < it.value()) {
            return false;
        }
    }
    return true;
}

QPair<qsizetype, qsizetype> changedLines(const QByteArray &before, const QByteArray &after)
{
    const QList<QByteArray> a = before.split('\n');
    const QList<QByteArray> b = after.split('\n');
    qsizetype first = 0;
    while (first < a.size() && first < b.size() && a.at(first) == b.at(first)) {
        ++first;
    }
    qsizetype last = 0;
    while (
        last < a.size() - first && last < b.size() - first && a.at(a.size() - 1 - last) == b.at(b.size() - 1 - last)) {
        ++last;
    }
    return {first, a.size() - 1 - last};
}

qsizetype lineOf(const QByteArray &text, qsizetype offset) { return text.left(offset).count('\n'); }

QList<Sample> realJobs()
{
    const QString source = qEnvironmentVariable("TRAINYARD_SOURCE");
    const QString shared = qEnvironmentVariable("TRAINYARD_SHARED", source + QStringLiteral("/../shared"));
    QList<Sample> samples = samplesBelow(source + QStringLiteral("/resources/templates"));
    samples += samplesBelow(source + QStringLiteral("/resources/examples"));
    const QList<Sample> others = samplesBelow(shared + QStringLiteral("/corpus/v2"));
    for (qsizetype i = 0; i < others.size(); i += isFullForm() ? 1 : 4) {
        samples.append(others.at(i));
    }
    return samples;
}

QList<const YamlNode *> places(const YamlDocument &document)
{
    QList<const YamlNode *> found;
    const std::function<void(const YamlNode *)> visit = [&](const YamlNode *node) {
        // Not the later one of two equal keys, and nothing under a key that is no scalar.
        if (node->parent && document.find(document.pathOf(node)) == node) {
            found.append(node);
        }
        for (const YamlNode::Entry &entry : node->entries) {
            visit(entry.value);
        }
    };
    if (document.root()) {
        visit(document.root());
    }
    return found;
}

QList<QByteArray> factsBut(const YamlDocument &document, const YamlNode *except)
{
    QList<QByteArray> list;
    if (document.root()) {
        listFacts(document.root(), {}, except, list);
    }
    return list;
}

TextEdits inverse(const QByteArray &before, const TextEdits &edits)
{
    TextEdits back;
    qsizetype moved = 0;
    for (const TextEdit &edit : edits) {
        const qsizetype begin = edit.range.begin + moved;
        back.append({{begin, begin + edit.text.size()}, before.mid(edit.range.begin, edit.range.length())});
        moved += edit.text.size() - edit.range.length();
    }
    return back;
}

QString Counts::text() const
{
    QString text = QStringLiteral("%1 documents, %2 places: %3 edits, %4 restored to the same bytes")
                       .arg(documents)
                       .arg(places)
                       .arg(edits)
                       .arg(restored);
    for (auto it = refused.cbegin(); it != refused.cend(); ++it) {
        text += QStringLiteral(", %1 refused with %2").arg(it.value()).arg(it.key());
    }
    return text;
}

} // namespace yamlsamples
