// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/exitrulesfile.h"
#include "engine/backend/secretkeeper.h"
#include "engine/client/settings.h"
#include "engine/core/scheduler.h"

#include <algorithm>
#include <functional>
#include <variant>

// What a back end may have from the engine's house.
struct Neighbours {
    QString stateFolder, configFolder, runtimeFolder, epoch;
    const trainyard::Settings &settings;
    trainyard::SecretKeeper &secrets;
    trainyard::ExitRulesFile &exitRules;
    trainyard::core::Scheduler &scheduler;
    const trainyard::ActiveJobs &jobs;
};

// Kills the engine, as far as its target can tell, right before the first effect of a kind is performed: nothing after
// it happens either.
struct Cut {
    std::function<bool(const trainyard::core::Effect &)> at;
    bool isDone = false;
};

// For Cut::at.
template <typename Effect> bool isA(const trainyard::core::Effect &effect)
{
    return std::holds_alternative<Effect>(effect);
}

// Where jobs run in these tests: it outlives the engine, as hosts and clusters do.
class Target
{
public:
    virtual ~Target() = default;
    virtual std::unique_ptr<trainyard::Backend> makeBackend(const Neighbours &house, Cut &cut) = 0;
    virtual int starts() const = 0; // of processes, ever
    virtual int running() const = 0;
    virtual void endAll(int status) = 0; // what runs
    virtual void forgetAll() = 0; // the target has lost what it knew of jobs
    virtual void setAnswering(bool on) = 0; // off: what it is asked for waits
    virtual bool isAsked() const = 0; // something waits
    virtual bool isAskedToStop() const = 0; // a stop was asked for, whether it waits or not
    virtual bool isQuiet() const = 0; // all that it was asked for is answered, and all that it says has been heard
    virtual void print(const QByteArray &text) = 0; // of what runs
};

template <typename Base> class WithCut : public Base
{
public:
    template <typename... Args>
    explicit WithCut(Cut &cut, Args &&...args) : Base(std::forward<Args>(args)...), m_cut(cut)
    {
    }
    void perform(const std::vector<trainyard::JobEffect> &effects) override
    {
        const bool isHit = m_cut.at
            && std::any_of(effects.begin(), effects.end(), [this](const auto &each) { return m_cut.at(each.effect); });
        m_cut.isDone = m_cut.isDone || isHit;
        if (!m_cut.isDone) {
            Base::perform(effects);
        }
    }

private:
    Cut &m_cut;
};
