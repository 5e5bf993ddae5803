// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/blocksigns.h"

#include "engine/core/why/causematch.h"
#include "engine/core/why/errormessage.h"

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

using Role = FailureCause::Role;

// A failed lookup in a table that the next exception describes better: it was not passed on through functions.
bool isLookup(const WhyError &error)
{
    static const QSet<QString> types{
        u"KeyError"_s, u"IndexError"_s, u"AttributeError"_s, u"StopIteration"_s, u"LookupError"_s, u"Empty"_s};
    return error.frames <= 2 && types.contains(error.type.section(u'.', -1));
}

// Whether an error that was made of a lookup names what was looked up, in words of its own.
bool saysMoreThan(const WhyError &lookup, const WhyError &error)
{
    QString key = lookup.message;
    key.remove(u'\'').remove(u'"');
    return key.isEmpty() || error.message.contains(key) || error.message.contains(lookup.message);
}

// Whether an error comes from what a program does at its end, and the one before it does not come from there.
bool isCleanupAfter(const WhyError &before, const WhyError &error)
{
    return !error.isRaised && !(error.cleanups - before.places).isEmpty();
}

// Whether an error of a clean-up knows from the system what the one before it could only guess: closing a file fails
// for the same reason as writing it.
bool isSurerThan(const FailureCauses &causes, const WhyError &before, const WhyError &error)
{
    const std::optional<CauseMatch> guessed = causeOfError(causes, before);
    const std::optional<CauseMatch> known = causeOfError(causes, error);
    return guessed && known && signOfCause(*guessed).likely && !signOfCause(*known).likely
        && error.message.startsWith("[Errno "_L1);
}

// Exceptions after which programs go another way.
bool isProbing(const QString &type)
{
    static const QSet<QString> types{u"ImportError"_s, u"ModuleNotFoundError"_s, u"FileNotFoundError"_s};
    return types.contains(type.section(u'.', -1));
}

// Whether a library tried another way, which then failed with an error of a known cause: the one before it, of which
// nothing is known, never left the library.
bool isTriedInLibrary(const FailureCauses &causes, const WhyError &before, const WhyError &error)
{
    return !before.own && !error.own && !isProbing(error.type) && !causeOfError(causes, before)
        && causeOfError(causes, error);
}

// The exception by which asyncio ends what it no longer waits for. The next exception says why.
bool isCancellation(const WhyError &error)
{
    return error.type.section(u'.', -1) == "CancelledError"_L1 && error.message.isEmpty();
}

// Whether an error of a library that does not name the file it misses, such as a socket, is passed on with another
// known cause.
bool isNamedBy(const FailureCauses &causes, const WhyError &before, const WhyError &error)
{
    const bool mayBeNameless = !before.own && before.message.contains("No such file or directory"_L1);
    const std::optional<CauseMatch> guessed = mayBeNameless ? causeOfError(causes, before) : std::nullopt;
    if (!guessed || guessed->cause->name != "file-missing"_L1 || guessed->args.contains("file"_L1)) {
        return false;
    }
    const std::optional<CauseMatch> known = causeOfError(causes, error);
    return known && known->cause->name != guessed->cause->name;
}

// "2 validation errors for Settings", "lr", "Input should be greater than 0 [type=greater_than, ...]": what is wrong
// stands below.
QString firstComplaintOf(const QString &message)
{
    static const QRegularExpression details(u"\\s*[\\[(]type=.*\\z"_s);
    const QStringList lines = message.split(u'\n');
    if (lines.size() < 2 || !countsComplaints(lines.constFirst())) {
        return lines.constFirst();
    }
    QString said = lines.at(1);
    if (!said.contains(u' ') && lines.size() > 2) {
        said += u": "_s + lines.at(2); // the field
    }
    return lines.constFirst() + u": "_s + said.remove(details);
}

// A program that could not be started: Python names it as it names a file.
std::optional<CauseMatch> causeOfStart(const FailureCauses &causes, const WhyError &error)
{
    static const QRegularExpression named(u"\\[Errno (?:2|13)\\] .*: '([^']+)'"_s);
    const FailureCause *cause = error.type == "FileNotFoundError"_L1 ? causes.find(u"command-missing"_s)
        : error.type == "PermissionError"_L1                         ? causes.find(u"not-executable"_s)
                                                                     : nullptr;
    const QRegularExpressionMatch match = named.match(error.message);
    if (!cause || !match.hasMatch() || !error.innermost.endsWith("/subprocess.py"_L1)) {
        return std::nullopt;
    }
    return CauseMatch{cause, nullptr, {{u"command"_s, match.captured(1)}}};
}

// A process that multiprocessing spawned reads what its parent could not write.
bool isOrphan(const WhyError &error)
{
    static const QRegularExpression ofSpawn(u"[/\\\\]multiprocessing[/\\\\]"_s);
    const bool isSpawned
        = error.outermost && (error.outermost->file == "<string>"_L1 || error.outermost->file.endsWith("spawn.py"_L1));
    return !error.own && isSpawned && ofSpawn.match(error.innermost).hasMatch()
        && (error.type == "EOFError"_L1 || error.type.endsWith("UnpicklingError"_L1)
            || error.type == "ConnectionResetError"_L1 || error.type == "BrokenPipeError"_L1);
}

// Python's table of the environment: the key is the name of a variable, which a launcher may have had to set.
std::optional<CauseMatch> causeOfEnvironment(const FailureCauses &causes, const WhyError &error)
{
    static const QSet<QString> ofLaunchers{u"RANK"_s, u"LOCAL_RANK"_s, u"GROUP_RANK"_s, u"NODE_RANK"_s, u"WORLD_SIZE"_s,
        u"LOCAL_WORLD_SIZE"_s, u"MASTER_ADDR"_s, u"MASTER_PORT"_s};
    static const QRegularExpression quoted(u"\\A'(\\w+)'\\z"_s);
    const bool isOfEnvironment
        = error.type == "KeyError"_L1 && (error.innermost == "<frozen os>"_L1 || error.innermost.endsWith("/os.py"_L1));
    const QString name = isOfEnvironment ? quoted.match(error.message).captured(1) : QString();
    const FailureCause *cause = name.isEmpty()
        ? nullptr
        : causes.find(ofLaunchers.contains(name) ? u"launcher-missing"_s : u"environment-missing"_s);
    return cause ? std::optional(CauseMatch{cause, nullptr, {{u"name"_s, name}}}) : std::nullopt;
}

// Whether a library raised an exception of its own kind, or of a kind that says little, so that only its words can tell
// why. What Python itself raises, and what the user's own code does, is a mistake in the code.
bool isOfLibrary(const WhyError &error)
{
    static const QSet<QString> vague{
        u"Exception"_s, u"RuntimeError"_s, u"OSError"_s, u"IOError"_s, u"SystemError"_s, u"ValueError"_s};
    const bool isInOwn = error.own && error.own->file == error.innermost;
    const bool isVague = vague.contains(error.type) || (error.type.contains(u'.') && !error.type.startsWith("__"_L1));
    // The functions of compiled libraries have no frames.
    const bool isOwn = isInOwn && (error.isRaised || error.type == "ValueError"_L1);
    return isVague && !isOwn && error.frames > 0;
}

// The other end of a connection is a server where a library asked for something. In a program's own code it may be
// either, unless one of the libraries of distributed training is on the way.
void addEndOfLine(const PythonBlock &block, const WhyError &error, WhySign &sign)
{
    static const QRegularExpression ofPeers(
        u"[/\\\\](?:distributed|elastic|multiprocessing|ray|horovod|mpi4py|deepspeed|grpc|gloo|tensorflow|jax)[/\\\\]"_s);
    if (sign.cause != "peer-lost"_L1 || !error.message.contains("reset by peer"_L1)) {
        return;
    }
    const bool isOfRequest = std::any_of(
        block.errors.cbegin(), block.errors.cend(), [](const WhyError &each) { return each.isOfRequest; });
    const bool isOfPeers = std::any_of(block.errors.cbegin(), block.errors.cend(), [](const WhyError &each) {
        return std::any_of(each.places.cbegin(), each.places.cend(),
            [](const QString &place) { return ofPeers.match(place).hasMatch(); });
    });
    if (isOfRequest) {
        sign.args.insert(u"end"_s, u"server"_s);
    } else if (!isOfPeers && error.type == "ConnectionResetError"_L1) {
        sign.args.insert(u"end"_s, u"any"_s);
    }
}

// What is missing is the folder, where a file was to be made.
void addParent(const WhyError &error, WhySign &sign)
{
    const QString file = sign.args.value("file"_L1).toString();
    const qsizetype slash = file.lastIndexOf(u'/');
    if (sign.cause == "file-missing"_L1 && error.isOfWriting && slash > 0) {
        insertText(sign.args, u"parent"_s, file.left(slash));
    }
}

// Errors of the network often name the host only where they are passed on.
void addHost(const PythonBlock &block, WhySign &sign)
{
    static const QSet<QString> ofNetwork{u"dns"_s, u"ssl-verify"_s, u"tls-failed"_s, u"proxy"_s,
        u"network-unreachable"_s, u"connection-refused"_s, u"connection-timeout"_s, u"server-error"_s, u"rate-limit"_s};
    static const QRegularExpression host(u"host='(?<a>[^']+)'(?:, port=(?<p>\\d+))?|https?://(?<b>[^/\\s'\"]+)"_s);
    if (!ofNetwork.contains(sign.cause) || sign.args.contains("host"_L1)) {
        return;
    }
    // What is said about a proxy is where the connection was to go.
    const QString name = sign.cause == "proxy"_L1 ? u"destination"_s : u"host"_s;
    for (const WhyError &error : block.errors) {
        const QRegularExpressionMatch match = host.match(error.message);
        if (match.hasMatch()) {
            insertText(sign.args, name, match.captured(u"a"_s) + match.captured(u"b"_s));
            insertText(sign.args, u"port"_s, match.captured(u"p"_s));
            return;
        }
    }
}

} // namespace

qsizetype rootErrorOf(const FailureCauses &causes, const PythonBlock &block)
{
    qsizetype root = 0;
    for (qsizetype i = 1; i < block.errors.size(); ++i) {
        const WhyError &now = block.errors.at(root);
        const WhyError &next = block.errors.at(i);
        const bool isReport = isReportOf(causes, now);
        if (next.via == WhyError::Via::Nested) {
            root = isReport ? i : root;
            continue;
        }
        if (isReport && !isReportOf(causes, next)) {
            root = i;
            continue;
        }
        if (isReportOf(causes, next)) {
            // Of several reports, one that says what failed.
            root = isReport && !causeOfError(causes, now) && causeOfError(causes, next) ? i : root;
            continue;
        }
        if (next.type == now.type && next.message == now.message) {
            continue; // raised again
        }
        if (isCancellation(now) || isNamedBy(causes, now, next)) {
            root = i;
            continue;
        }
        if (isCleanupAfter(now, next)) {
            root = isSurerThan(causes, now, next) ? i : root; // else what it does at its end only fails, too
            continue;
        }
        if (next.via == WhyError::Via::Direct) {
            root = isLookup(now) && saysMoreThan(now, next) ? i : root;
            continue;
        }
        // An attempt whose failure was handled by trying another way, which then failed as well.
        const bool isOtherWay = (!next.isRaised && isProbing(now.type)) || isTriedInLibrary(causes, now, next);
        root = isLookup(now) || isOtherWay ? i : root;
    }
    return root;
}

// What the program ended with, if that was raised in place of the error that counts.
static const WhyError *endOfBlock(const FailureCauses &causes, const PythonBlock &block, qsizetype root)
{
    const WhyError &from = block.errors.at(root);
    const WhyError *end = nullptr;
    for (qsizetype i = root + 1; i < block.errors.size(); ++i) {
        const WhyError &next = block.errors.at(i);
        if (next.via == WhyError::Via::Nested) {
            break;
        }
        const bool isSame = next.type == from.type && next.message == from.message;
        if (!isSame && !isReportOf(causes, next) && !isCleanupAfter(from, next)) {
            end = &next;
        }
    }
    return end;
}

WhySign signOfBlock(const FailureCauses &causes, const PythonBlock &block, qsizetype index)
{
    const qsizetype root = rootErrorOf(causes, block);
    const WhyError &error = block.errors.at(root);
    const std::optional<CauseMatch> start = causeOfStart(causes, error);
    const std::optional<CauseMatch> environment = start ? start : causeOfEnvironment(causes, error);
    const std::optional<CauseMatch> match = environment ? environment : causeOfError(causes, error);
    const bool isReport = isReportOf(causes, error) || isOrphan(error);
    WhySign sign;
    // The command in a report is not an error, but how its process died is worth naming.
    const bool isNamed = match && !isOrphan(error)
        && (!causes.isReportType(error.type) || match->cause->role == Role::Crash || match->cause->role == Role::Abort);
    if (match && (!isReport || isNamed)) {
        sign = signOfCause(*match);
        const bool isOwn = sign.role == Role::Crash || sign.role == Role::Abort;
        sign.likely = sign.likely || isReport;
        sign.role = isReport && !isOwn ? Role::Report : sign.role;
    } else if (isReport) {
        sign.role = Role::Report;
        sign.likely = true;
    } else {
        sign.transient = false;
        sign.isOfLibrary = isOfLibrary(error);
    }
    sign.line = error.line;
    sign.last = block.last;
    sign.block = index;
    sign.survived = block.context == PythonBlock::Context::Thread || block.context == PythonBlock::Context::Logged;
    sign.fatal = !sign.survived && sign.role != Role::Report;
    sign.args.insert(u"type"_s, error.type.section(u'.', -1).left(longestArgument));
    if (!error.message.isEmpty()) {
        sign.args.insert(u"message"_s, firstComplaintOf(error.message).left(longestArgument));
    }
    const QString said = error.message.isEmpty() ? error.type : error.type + u": "_s + error.message;
    insertText(sign.args, u"said"_s, said.section(u'\n', 0, 0));
    const WhyError *end = sign.role == Role::Report ? nullptr : endOfBlock(causes, block, root);
    // What libraries pass on in other words says no more than a known cause does.
    const bool isOwnRaise = end && end->isRaised && end->own && end->own->file == end->innermost;
    if (end && (sign.cause.isEmpty() || isOwnRaise)) {
        QString ended = end->type.section(u'.', -1);
        ended += end->message.isEmpty() ? QString() : QString(u": "_s + firstComplaintOf(end->message));
        static const QRegularExpression atEnd(u"[.:;,]+\\z"_s);
        insertText(sign.args, u"ended"_s, ended.remove(atEnd)); // the sentence goes on behind it
    }
    addHost(block, sign);
    addEndOfLine(block, error, sign);
    addParent(error, sign);
    return sign;
}

} // namespace trainyard::core
