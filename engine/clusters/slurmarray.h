// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmrefusal.h"
#include "engine/clusters/slurmscript.h"

#include <QString>

#include <map>
#include <optional>
#include <utility>
#include <vector>

// Combines equal jobs of a group, such as those of a sweep, into one array of the cluster: each is an element with its
// own folder. Pure.
namespace trainyard::slurm
{

// The common properties of the jobs of one array.
struct ArrayShape {
    QString group;
    int most = 0; // of them that run at a time; 0: any number
    QString root; // below which their folders are
    Layout layout; // of each of them
    qint64 limitMs = 0, graceMs = 0; // as in ScriptInput
};
// The same for jobs that can be in one array. Empty: it goes alone, as it has no group or is heterogeneous.
QString arrayKey(const ArrayShape &shape);

// The argument of sbatch: "0-7", or "0-7%2" when no more than two of them may run at a time.
QString elementsText(int count, int most);
// The id of an element at the cluster: "12_3".
QString elementId(const QString &array, int index);

// Holds back what can become one array until the others are there: a sweep hands its jobs over one after the other, and
// nothing says which is the last. They are sent when none has come for a while, or when the first has waited for long.
class ArrayHold
{
public:
    static constexpr qint64 quietMs = 2000, longestMs = 15'000;
    struct Batch {
        QString key;
        std::vector<QString> folders; // in the order in which they came
    };
    void add(const QString &key, const QString &folder, qint64 now); // again: nothing
    std::vector<Batch> takeDue(qint64 now, std::size_t most); // those of `most` do not wait for further ones

private:
    struct Held {
        std::vector<QString> folders;
        qint64 since = 0, newest = 0;
    };
    std::map<QString, Held> m_held; // by key
};

// How many elements an array may have, as far as the cluster has shown it. One: jobs are sent alone.
class ArraySizes
{
public:
    static constexpr std::size_t usual = 1000; // MaxArraySize is 1001 unless a site has another one
    std::size_t most() const { return m_most; }
    std::size_t ceiling() const { return m_ceiling; } // the cluster has refused larger ones as arrays
    // The next step for the jobs of an array of `size` that was refused. Nothing: the refusal does not depend on the
    // size. Otherwise smaller arrays are formed: at once when the cluster does not accept arrays of that size, and
    // later when it has no room for so many jobs at present.
    enum class Split { None, AtOnce, Later };
    Split refused(Refusal kind, std::size_t size);
    void taken(std::size_t size); // so that larger ones are tried again, up to what it has not refused as arrays

private:
    std::size_t m_most = usual, m_ceiling = usual;
};

// The sizes of the parts in which `count` tasks of one array are tried next. Where the cluster takes no array of that
// size, all parts are of the size that it may take; where its room is too small, the first part finds out how much
// there is, and the rest stays together.
std::vector<std::size_t> partsOf(std::size_t count, const ArraySizes &sizes);

// The script of the array: element N runs the script in the Nth of the folders, with the log there.
QByteArray arrayScript(const ScriptInput &input, const std::vector<QString> &folders);

} // namespace trainyard::slurm
