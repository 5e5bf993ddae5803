// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/cancel.h"
#include "model/yaml/tabindent.h"
#include "model/yaml/yamllex.h"
#include "model/yaml/yamlprescan.h"
#include "model/yaml/yamlsyntaxerror.h"
#include "model/yaml/yamltree.h"

#include <QHash>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <streambuf>
#include <string_view>

namespace trainyard::yamltree
{

namespace
{

// yaml-cpp ends plain text in brackets at a question mark wherever it stands, and so an address such as
// [http://host/file?raw=1]. Those that can only be text are read as another character, which no text has.
constexpr char heldQuestionMark = '\x02';

void holdQuestionMarks(QByteArray &input)
{
    // An escape may give that character, too.
    static const QByteArray codes[] = {QByteArray(1, heldQuestionMark), "\\x02", "\\u0002", "\\U00000002"};
    const bool isTaken
        = std::any_of(std::begin(codes), std::end(codes), [&](const QByteArray &code) { return input.contains(code); });
    if (isTaken || !input.contains('?')) {
        return;
    }
    char first = 0; // of the word that is read
    for (qsizetype i = yamllex::bomLength(input); i < input.size(); ++i) {
        const char c = input.at(i);
        if (yamllex::isBlank(c) || yamllex::isBreak(c) || yamllex::isFlowIndicator(c)) {
            first = 0;
        } else if (first == 0) {
            first = c;
        } else if (c == '?' && first != '&' && first != '*' && first != '!') {
            input[i] = heldQuestionMark;
        }
    }
}

// yaml-cpp writes the escapes \N and \_ as one byte each, which is not UTF-8. The text is UTF-8, so that such a byte in
// the place of a character's first one came from one of them.
QByteArray utf8(const std::string &value)
{
    const auto isLone = [](char c) { return c == '\x85' || c == '\xA0'; };
    if (std::none_of(value.begin(), value.end(), isLone)) {
        return QByteArray(value.data(), qsizetype(value.size()));
    }
    QByteArray bytes;
    bytes.reserve(qsizetype(value.size()));
    for (std::size_t i = 0; i < value.size();) {
        const auto lead = static_cast<unsigned char>(value[i]);
        if (isLone(value[i])) {
            bytes.append('\xC2').append(value[i]);
            ++i;
            continue;
        }
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        const std::string_view character = std::string_view(value).substr(i, length);
        bytes.append(character.data(), qsizetype(character.size()));
        i += length;
    }
    return bytes;
}

// The bytes as a stream, without a copy.
class ByteStream : public std::streambuf
{
public:
    ByteStream(const char *data, qsizetype size)
    {
        char *begin = const_cast<char *>(data); // required by std::streambuf; nothing is written
        setg(begin, begin, begin + size);
    }
};

// Thrown out of a handler to stop the parser; caught in build().
struct Stop {
    const char *code; // null: cancelled
    qsizetype at;
    QJsonObject args;
};

class Builder : public YAML::EventHandler
{
public:
    Builder(Tree &tree, qsizetype offset, qsizetype size, bool holdsMarks)
        : m_tree(tree), m_offset(offset), m_size(size), m_holdsMarks(holdsMarks), m_events(3 * size + 100)
    {
    }

    Node *root = nullptr;
    bool started = false;
    qsizetype begin = 0;

    void OnDocumentStart(const YAML::Mark &mark) override
    {
        started = true;
        begin = position(mark);
    }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        Node *node = add(mark, anchor, {});
        node->null = true;
    }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        Node *node = add(mark, 0, {});
        node->kind = YamlNode::Kind::Alias;
        node->target = m_anchors.value(anchor);
    }
    void OnScalar(
        const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, const std::string &value) override
    {
        Node *node = add(mark, anchor, tag);
        node->scalar = utf8(value);
        if (m_holdsMarks) {
            node->scalar.replace(heldQuestionMark, '?');
        }
    }
    void OnSequenceStart(
        const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, YAML::EmitterStyle::value style) override
    {
        open(add(mark, anchor, tag), YamlNode::Kind::Sequence, style);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(
        const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor, YAML::EmitterStyle::value style) override
    {
        open(add(mark, anchor, tag), YamlNode::Kind::Map, style);
    }
    void OnMapEnd() override { close(); }
    void OnAnchor(const YAML::Mark &, const std::string &name) override
    {
        m_anchor = QByteArray(name.data(), qsizetype(name.size()));
    }

    // The place of the innermost list or map that is open and begins with `bracket`.
    std::optional<qsizetype> placeOf(char bracket, const QByteArray &bytes) const
    {
        for (auto open = m_open.crbegin(); open != m_open.crend(); ++open) {
            qsizetype at = open->node->mark;
            while (yamllex::at(bytes, at) == '&' || yamllex::at(bytes, at) == '!') {
                while (!yamllex::isBlankOrEnd(bytes, at)) {
                    ++at;
                }
                while (yamllex::isBlank(yamllex::at(bytes, at))) {
                    ++at;
                }
            }
            if (yamllex::at(bytes, at) == bracket) {
                return at;
            }
        }
        return std::nullopt;
    }

    // After an error inside: a key without its value goes, so that every entry has one.
    void finish()
    {
        for (const Open &open : m_open) {
            if (open.key) {
                open.node->entries.append({open.key, nullptr});
                Node &missing = m_tree.nodes.emplace_back();
                missing.null = true;
                missing.mark = -1;
                missing.parent = open.node;
                missing.editable = false;
                open.node->entries.last().value = &missing;
            }
        }
        m_open.clear();
    }

private:
    struct Open {
        Node *node = nullptr;
        const Node *key = nullptr;
    };

    qsizetype position(const YAML::Mark &mark) const
    {
        return std::min<qsizetype>(m_offset + std::max(mark.pos, 0), m_size);
    }

    Node *add(const YAML::Mark &mark, YAML::anchor_t anchor, const std::string &tag)
    {
        // Every node takes bytes or follows from an indicator; more events than that is a parser that goes round.
        if (--m_events < 0 || qsizetype(m_tree.nodes.size()) >= maxNodes) {
            throw Stop{"yaml.too-large", position(mark),
                {{QStringLiteral("what"), QStringLiteral("nodes")}, {QStringLiteral("limit"), maxNodes}}};
        }
        if (m_events % 256 == 0 && CancelScope::isCancelled()) {
            throw Stop{nullptr, position(mark), {}};
        }
        Node *node = &m_tree.nodes.emplace_back();
        node->mark = position(mark);
        node->tag = tag == "?" ? QByteArray() : QByteArray(tag.data(), qsizetype(tag.size()));
        if (anchor != 0) {
            node->anchor = m_anchor;
            m_anchors.insert(anchor, node);
        }
        m_anchor.clear();
        if (m_open.isEmpty()) {
            root = node;
            return node;
        }
        Open &parent = m_open.last();
        node->parent = parent.node;
        if (parent.node->kind == YamlNode::Kind::Sequence) {
            parent.node->entries.append({nullptr, node});
        } else if (!parent.key) {
            parent.key = node;
        } else {
            parent.node->entries.append({parent.key, node});
            parent.key = nullptr;
        }
        return node;
    }

    void open(Node *node, YamlNode::Kind kind, YAML::EmitterStyle::value style)
    {
        node->kind = kind;
        node->style = style == YAML::EmitterStyle::Block ? YamlNode::Style::Block : YamlNode::Style::Flow;
        if (m_open.size() >= maxDepth) {
            throw Stop{"yaml.too-deep", node->mark, {{QStringLiteral("limit"), maxDepth}}};
        }
        m_open.append({node, nullptr});
    }

    void close()
    {
        if (!m_open.isEmpty()) {
            m_open.removeLast();
        }
    }

    Tree &m_tree;
    qsizetype m_offset;
    qsizetype m_size;
    bool m_holdsMarks; // question marks are held
    qsizetype m_events;
    QByteArray m_anchor;
    QHash<YAML::anchor_t, const Node *> m_anchors;
    QList<Open> m_open;
};

bool isFlatMap(const Node *root)
{
    if (!root || root->kind != YamlNode::Kind::Map) {
        return false;
    }
    return std::all_of(root->entries.cbegin(), root->entries.cend(),
        [](const YamlNode::Entry &entry) { return entry.value->kind == YamlNode::Kind::Scalar; });
}

void secondDocument(const QByteArray &bytes, const Builder &builder, Tree &tree, QList<Diagnostic> &diagnostics)
{
    if (!yamllex::isDocumentMark(bytes, builder.begin)) {
        const bool isFirst = tree.root && tree.root->null && tree.begin == builder.begin; // nothing was read before it
        diagnostics.append(yamlDiagnostic("yaml.syntax", {builder.begin, std::min(builder.begin + 1, bytes.size())},
            {{QStringLiteral("reason"), isFirst ? QStringLiteral("character") : QStringLiteral("after-end")}}));
        return;
    }
    tree.second = builder.root;
    tree.secondBegin = builder.begin + 3;
    const bool empty = builder.root && builder.root->null;
    const bool flat = isFlatMap(builder.root);
    const QString kind = empty ? QStringLiteral("empty") : flat ? QStringLiteral("flat-map") : QStringLiteral("other");
    diagnostics.append(yamlDiagnostic("yaml.second-document", {builder.begin, builder.begin + 3},
        {{QStringLiteral("kind"), kind}}, true, empty || flat ? Severity::Warning : Severity::Error));
}

// `input` is what yaml-cpp reads for the bytes; places in both are the same.
void readOnce(const QByteArray &bytes, const QByteArray &input, Tree &tree, QList<Diagnostic> &diagnostics)
{
    const qsizetype offset = yamllex::bomLength(bytes);
    ByteStream buffer(input.constData() + offset, input.size() - offset);
    std::istream stream(&buffer);
    const bool holdsMarks = input.contains(heldQuestionMark) && !bytes.contains(heldQuestionMark);
    Builder first(tree, offset, bytes.size(), holdsMarks);
    Builder second(tree, offset, bytes.size(), holdsMarks);
    try {
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(first)) {
            diagnostics.append(yamlDiagnostic("yaml.empty", {offset, offset}, {}, true));
            return;
        }
        tree.root = first.root;
        tree.begin = first.begin;
        // Never in a loop: the parser makes no progress on some inputs, a single comma for one.
        if (parser.HandleNextDocument(second)) {
            secondDocument(bytes, second, tree, diagnostics);
        }
    } catch (const Stop &stop) {
        if (!stop.code) {
            tree.complete = false;
        } else {
            diagnostics.append(
                yamlDiagnostic(stop.code, {stop.at, std::min(stop.at + 1, bytes.size())}, stop.args, false));
        }
    } catch (const YAML::Exception &error) {
        const Builder &builder = second.started ? second : first;
        diagnostics.append(
            syntaxError(bytes, input, error, offset, [&](char bracket) { return builder.placeOf(bracket, bytes); }));
    } catch (const std::exception &) {
        diagnostics.append(
            yamlDiagnostic("yaml.syntax", {offset, offset}, {{QStringLiteral("reason"), QStringLiteral("other")}}));
    }
    if (!tree.root || (second.started && !tree.second)) {
        tree.complete = false;
    }
    for (Builder *builder : {&first, &second}) {
        builder->finish();
    }
    tree.root = first.root;
    tree.begin = first.begin;
    tree.complete
        = tree.complete && std::none_of(diagnostics.cbegin(), diagnostics.cend(), [](const Diagnostic &diagnostic) {
              return diagnostic.code == QLatin1String("yaml.syntax")
                  || diagnostic.code == QLatin1String("yaml.tab-indent")
                  || diagnostic.code == QLatin1String("yaml.unknown-alias")
                  || diagnostic.code == QLatin1String("yaml.too-deep")
                  || diagnostic.code == QLatin1String("yaml.too-large");
          });
    if (tree.complete && tree.root && tree.root->null) {
        diagnostics.append(yamlDiagnostic("yaml.empty", {offset, offset}, {}, true));
    }
}

// Where reading stopped at a tab in a line without content: its blanks.
std::optional<ByteRange> stoppingBlanks(const QByteArray &bytes, const QList<Diagnostic> &diagnostics)
{
    const bool isTab = !diagnostics.isEmpty() && diagnostics.constLast().code == QLatin1String("yaml.tab-indent");
    return isTab ? idleBlanks(bytes, diagnostics.constLast().at.begin) : std::nullopt;
}

} // namespace

void build(const QByteArray &bytes, Tree &tree, QList<Diagnostic> &diagnostics)
{
    // With a line break at the end in any case: without one yaml-cpp drops the last one of a block scalar and has no
    // position for a quote that never ends.
    QByteArray input = bytes.endsWith('\n') ? bytes : bytes + '\n';
    holdQuestionMarks(input);
    QList<Diagnostic> found;
    readOnce(bytes, input, tree, found);
    // A server's parser takes tabs in lines without content, where yaml-cpp stops. The contents of a text must not
    // change, and only a parser knows its extent, so each such line is found by parsing up to it.
    constexpr qsizetype mostBytes = 8 * maxCheckedBytes; // read in all
    qsizetype left = mostBytes - input.size();
    std::optional<ByteRange> end; // of a text, the last one
    for (auto blanks = stoppingBlanks(input, found); blanks && left >= 0; blanks = stoppingBlanks(input, found)) {
        std::fill_n(input.begin() + blanks->begin, blanks->length(), ' ');
        if (endsText(bytes, blanks->begin)) {
            input[blanks->begin] = '#'; // a comment ends a text, too
            end = blanks;
        }
        left -= input.size();
        tree = Tree();
        found.clear();
        readOnce(bytes, input, tree, found);
    }
    if (end && !found.isEmpty() && found.constLast().code == QLatin1String("yaml.syntax")
        && yamllex::lineBegin(bytes, found.constLast().at.begin)
            == yamllex::lineBegin(bytes, yamllex::skipGap(bytes, end->end))) {
        // The following line was meant to be in the text.
        found.last() = yamlDiagnostic("yaml.tab-indent", indentationTab(bytes, end->begin).value_or(*end), {}, true);
    }
    diagnostics += found;
}

} // namespace trainyard::yamltree
